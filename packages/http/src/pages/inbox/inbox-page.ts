import { escapeHtml, type Page } from "../../server/replies/plain-reply.ts";
import { icon, logo } from "../logo.ts";
import { panesStyle } from "../panes-style.ts";
import { inboxScript } from "./inbox-script.ts";

/** Position of the page among the server's addresses. */
export interface InboxPlace {
  /** Relative prefix of the inbox's other addresses. */
  root: "inbox" | "../inbox";
  /** Token that proves that a form came from this page. */
  formToken: string;
  /** Maximum number of mails kept; `undefined` if all are. */
  limit: number | undefined;
  /** Whether there is also a page of templates. */
  hasPreviews: boolean;
}

/**
 * Renders the inbox page: a list of captured mails, and one of them open. It loads everything else as JSON, and inserts
 * it as text.
 */
export function inboxPage({ root, formToken, limit, hasPreviews }: InboxPlace): Page {
  const up = root === "inbox" ? "" : "../";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${icon}<title>Inbox · Posthorn</title><style>${panesStyle}</style></head>
<body data-root="${root}" data-limit="${limit ?? ""}"><header><a class="brand" aria-label="Posthorn" href="${up}./">${logo}<b>Posthorn</b></a>
<p role="status"><span id="count">Captured here<span>, not sent</span></span><b id="lost"></b></p>
<nav aria-label="Other pages">${hasPreviews ? `<a href="${up}previews">Templates</a>` : ""}<a href="${up}docs">Reference</a></nav>
<form method="post" action="${root}/clear"><input type="hidden" name="token" value="${escapeHtml(formToken)}">
<button id="clear">Delete all</button></form></header>
<main id="panes"><h1 class="unseen">Inbox</h1><section id="list" aria-label="E-mails">
<input id="search" type="search" placeholder="Search  /" aria-label="Search subject, sender, recipient and text">
<ul id="mails"></ul><p id="none" hidden></p>
<noscript><p>The inbox needs JavaScript. Its e-mails are at <a href="${root}.json">${root}.json</a>.</p></noscript></section>
<article id="mail" tabindex="-1"><p class="empty">${logo}<span>Select an e-mail, or send one: it appears here.</span></p></article></main>
<script>${inboxScript}</script></body></html>`;
  return { html, scripts: [inboxScript], policy: ["frame-src 'self'", "img-src data:"] };
}
