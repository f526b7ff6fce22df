import { escapeHtml, type Page } from "../../server/replies/plain-reply.ts";
import { icon, logo } from "../logo.ts";
import { panesStyle } from "../panes-style.ts";
import { previewScript } from "./preview-script.ts";

/** Renders the page of a folder's templates: a list, and one of them rendered, updated whenever a file is saved. */
export function previewPage(formToken: string): Page {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${icon}<title>Templates · Posthorn</title><style>${panesStyle}</style></head>
<body data-token="${escapeHtml(formToken)}"><header><a class="brand" aria-label="Posthorn" href="./">${logo}<b>Posthorn</b></a>
<p role="status"><span id="count">Templates</span><b id="lost"></b></p>
<nav aria-label="Other pages"><a href="inbox">Inbox</a><a href="docs">Reference</a></nav></header>
<main id="panes"><h1 class="unseen">Templates</h1><section id="list" aria-label="Templates">
<input id="search" type="search" placeholder="Search  /" aria-label="Search templates by name">
<ul id="mails"></ul><p id="none" hidden></p>
<noscript><p>The previews need JavaScript.</p></noscript></section>
<article id="mail" tabindex="-1"><p class="empty">${logo}<span>Select a template. It is updated whenever you save one of its files.</span></p></article></main>
<script>${previewScript}</script></body></html>`;
  return { html, scripts: [previewScript], policy: ["frame-src 'self'", "img-src data:"] };
}
