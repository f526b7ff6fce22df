import { createHash } from "node:crypto";
import { headerOf, type WireReply, type WireRequest } from "../../contract/wire-request.ts";

const common = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

export function textReply(body: string, type = "text/plain"): WireReply {
  return { status: 200, headers: { ...common, "content-type": `${type}; charset=utf-8` }, body };
}

export const jsonReply = (value: unknown): WireReply => textReply(JSON.stringify(value), "application/json");

/** The same with an ETag made of `state`, so that a page that polls need not load it again. */
export function polledReply(request: WireRequest, state: string | number, value: unknown): WireReply {
  const etag = `"${state}"`;
  if (headerOf(request, "if-none-match") === etag) return { status: 304, headers: { etag }, body: "" };
  const reply = jsonReply(value);
  reply.headers["etag"] = etag;
  return reply;
}

/** A page and what its Content-Security-Policy must allow. */
export interface Page {
  html: string;
  /** Texts of its inline scripts, allowed by their hashes. */
  scripts?: readonly string[];
  /** Whether scripts from our own origin may run. */
  ownScripts?: boolean;
  /** Further directives of the Content-Security-Policy. */
  policy?: readonly string[];
  status?: number;
}

/** Responds with a page that may load nothing, run only its own scripts, and not be framed. */
export function htmlReply({
  html,
  scripts = [],
  ownScripts = false,
  policy = [],
  status = 200,
}: Page): WireReply {
  const hashes = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  const sources = ownScripts ? ["'self'", ...hashes] : hashes;
  const directives = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${sources.length > 0 ? sources.join(" ") : "'none'"}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...policy,
  ];
  const headers = {
    ...common,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": directives.join("; "),
    "x-frame-options": "DENY",
  };
  return { status, headers, body: html };
}

/** Escapes text for HTML, including quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
