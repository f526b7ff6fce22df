import { escapeHtml, type Page } from "../../server/plain-reply.ts";
import { logo } from "../logo.ts";
import { panesStyle } from "../panes-style.ts";
import { inboxScript } from "./inbox-script.ts";

/** How the page is reached. */
export interface InboxPlace {
  /** Where the inbox's other addresses begin, seen from the page. */
  root: "inbox" | "../inbox";
  /** Proves that a form was ours. */
  formToken: string;
  /** Whether there is a page of templates as well. */
  hasPreviews: boolean;
}

/** The page of the kept mails: a list, and one of them open. It reads everything else as JSON, and shows it as text. */
export function inboxPage({ root, formToken, hasPreviews }: InboxPlace): Page {
  const up = root === "inbox" ? "" : "../";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Inbox · Posthorn</title><style>${panesStyle}</style></head>
<body data-root="${root}"><header><a class="brand" aria-label="Posthorn" href="${up}./">${logo}<b>Posthorn</b></a>
<p id="count" role="status">Captured here<span>, sent nowhere</span></p>
<nav aria-label="Elsewhere">${hasPreviews ? `<a href="${up}previews">Templates</a>` : ""}<a href="${up}docs">Reference</a></nav>
<form method="post" action="${root}/clear"><input type="hidden" name="token" value="${escapeHtml(formToken)}">
<button id="clear">Delete all</button></form></header>
<main id="panes"><h1 class="unseen">Inbox</h1><section id="list" aria-label="Mails">
<input id="search" type="search" placeholder="Search  /" aria-label="Search subject, sender, recipient and text">
<ul id="mails"></ul><p id="none" hidden></p></section>
<article id="mail" tabindex="-1"><p class="empty">${logo}<span>Select an e-mail, or send one: it appears here by itself.</span></p></article></main>
<noscript><p class="empty">The inbox needs JavaScript. Its e-mails are at <a href="${root}.json">${root}.json</a>.</p></noscript>
<script>${inboxScript}</script></body></html>`;
  return { html, scripts: [inboxScript], policy: ["frame-src 'self'"] };
}
