import { headerOf, type WireReply, type WireRequest } from "../contract/wire-request.ts";
import { pageFrame } from "../pages/page-frame.ts";
import { escapeHtml, htmlReply } from "./plain-reply.ts";

const titles: Record<number, string> = {
  403: "That is not allowed",
  404: "Nothing is here",
  503: "Back in a moment",
};

/** Turns refusals outside of the API into a page if the client is a browser; leaves other responses unchanged. */
export function asPage(request: WireRequest, reply: WireReply): WireReply {
  if (reply.status < 400 || !wantsPage(request) || typeof reply.body !== "string") return reply;
  if (!reply.headers["content-type"]?.startsWith("application/json")) return reply;
  const { error, request_id: id } = JSON.parse(reply.body) as {
    error: { message: string };
    request_id: string;
  };
  const title = titles[reply.status] ?? (reply.status >= 500 ? "Something went wrong" : "That did not work");
  const number = reply.status >= 500 ? `<p><small>The log has it as ${escapeHtml(id)}.</small></p>` : "";
  const words = reply.status === 404 ? "The address is old, or not complete." : error.message;
  const html = pageFrame(title, `<p>${escapeHtml(words)}</p>${number}`);
  const page = htmlReply({ html, status: reply.status });
  return { ...reply, ...page, headers: { ...reply.headers, ...page.headers } };
}

/** Programs accept anything, or JSON. */
const wantsPage = (request: WireRequest): boolean =>
  !request.target.startsWith("/api/") && /\btext\/html\b/.test(headerOf(request, "accept") ?? "");
