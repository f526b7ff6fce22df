import { headerOf, type WireReply, type WireRequest } from "../../contract/wire-request.ts";
import { pageFrame } from "../../pages/page-frame.ts";
import { escapeHtml, htmlReply } from "./plain-reply.ts";

const titles: Record<number, string> = {
  403: "Not allowed",
  404: "Page not found",
  503: "Temporarily unavailable",
};

/**
 * Turns refusals outside of the API into a page if the client is a browser, or opens a link of an e-mail; leaves other
 * responses unchanged.
 */
export function asPage(request: WireRequest, reply: WireReply): WireReply {
  if (reply.status < 400 || !wantsPage(request) || typeof reply.body !== "string") return reply;
  if (!reply.headers["content-type"]?.startsWith("application/json")) return reply;
  const { error, request_id: id } = JSON.parse(reply.body) as {
    error: { message: string };
    request_id: string;
  };
  const title = titles[reply.status] ?? (reply.status >= 500 ? "Something went wrong" : "The request failed");
  const number = reply.status >= 500 ? `<p><small>Request id: ${escapeHtml(id)}</small></p>` : "";
  const words = reply.status === 404 ? "The address is out of date or incomplete." : error.message;
  const readers = isOfRecipients(request) ? "recipients" : "users";
  const html = pageFrame(title, `<p>${escapeHtml(words)}</p>${number}`, readers);
  const page = htmlReply({ html, status: reply.status });
  return { ...reply, ...page, headers: { ...reply.headers, ...page.headers } };
}

/** Programs accept anything, or JSON. */
const wantsPage = (request: WireRequest): boolean =>
  (isOfRecipients(request) && request.method === "GET") ||
  (!request.target.startsWith("/api/") && /\btext\/html\b/.test(headerOf(request, "accept") ?? ""));

/** Whether it is a link to unsubscribe, or a tracked one. */
const isOfRecipients = ({ target }: WireRequest): boolean => /^\/[cu]\//.test(target);
