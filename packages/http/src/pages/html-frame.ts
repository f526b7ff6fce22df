import type { WireReply } from "../contract/wire-request.ts";
import { htmlReply } from "../server/replies/plain-reply.ts";
import type { MailFile } from "./inbox/read-files.ts";

/**
 * Renders a mail's HTML as a separate document for a frame. It runs nothing and loads nothing from outside, except
 * pictures if asked: loading one tells its server that the mail was opened. Embedded files are shown. Links open in a
 * new tab.
 */
export function htmlFrame(
  mailHtml: string,
  { files = [], pictures }: { files?: readonly MailFile[]; pictures: boolean },
): WireReply {
  const byId = new Map(files.flatMap((file) => (file.contentId === "" ? [] : [[file.contentId, file]])));
  const html = mailHtml.replace(/cid:([^"'\s)>]+)/gi, (found, id: string) => {
    const file = byId.get(id) ?? byId.get(decoded(id));
    return file === undefined || !file.contentType.startsWith("image/")
      ? found
      : `data:${file.contentType};base64,${file.content.toString("base64")}`;
  });
  // Before a doctype, it would have browsers show the mail as old ones did: with text in tables in another size.
  const start = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
  const reply = htmlReply({ html: `${start}<base target="_blank">${html.slice(start.length)}` });
  reply.headers["content-security-policy"] = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${pictures ? " https: http:" : ""}`,
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-popups allow-popups-to-escape-sandbox",
  ].join("; ");
  reply.headers["x-frame-options"] = "SAMEORIGIN";
  return reply;
}

/** A URL writes some characters of a content id as percent and digits (RFC 2392 section 2). */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Whether a mail's HTML refers to pictures on other servers. */
export function hasRemotePictures(html: string): boolean {
  return /(?:src|srcset|background)\s*=[\s"']*(?:https?:)?\/\/|url\([\s"']*(?:https?:)?\/\//i.test(html);
}
