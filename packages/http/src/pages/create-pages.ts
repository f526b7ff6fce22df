import { randomBytes } from "node:crypto";
import { ServiceError } from "@posthorn/core";
import { headerOf, type WireReply, type WireRequest } from "../contract/wire-request.ts";
import { isLoopbackAddress } from "../server/client-address.ts";
import { htmlReply, jsonReply, type Page } from "../server/plain-reply.ts";
import { invitationPage, resetPasswordPage, verifyEmailPage } from "./account-pages.ts";
import type { CaptureInbox } from "./capture-inbox.ts";
import { inboxMailPage, inboxPage } from "./inbox-pages.ts";

export interface PagesOptions {
  /** Shows captured mail to everyone who reaches the server: only for one bound to loopback. Default none. */
  inbox?: CaptureInbox;
}

export interface Pages {
  /** What answers a path of a page; `undefined` for a path that is not ours. */
  find(request: WireRequest, path: string, query: string): (() => WireReply | Promise<WireReply>) | undefined;
}

const accountPages: Record<string, () => Page> = {
  "/app/verify-email": verifyEmailPage,
  "/app/reset-password": resetPasswordPage,
  "/app/invitations": invitationPage,
};

/** Makes the pages that links in mails lead to, where no front end is configured, and those of captured mail. */
export function createPages({ inbox }: PagesOptions): Pages {
  const replies = new Map(Object.entries(accountPages).map(([path, page]) => [path, htmlReply(page())]));
  // A page of another program on this machine may post here, but knows no token.
  const formToken = randomBytes(18).toString("base64url");
  return {
    find(request, path, query) {
      const { method } = request;
      const reads = method === "GET" || method === "HEAD";
      const reply = reads ? replies.get(path) : undefined;
      if (reply !== undefined) return () => reply;
      if (inbox === undefined || !isFromHere(request)) return undefined;
      return findInInbox({ inbox, formToken }, request, { path, query });
    },
  };
}

const localHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request comes from this machine, by a name of this machine, and not through a proxy: a page of another site that got its
 * name resolved to this machine must not read mails with their tokens.
 */
function isFromHere(request: WireRequest): boolean {
  const isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some(
    (name) => request.headers[name] !== undefined,
  );
  return (
    !isForwarded &&
    isLoopbackAddress(request.ip) &&
    localHost.test(headerOf(request, "host") ?? "") &&
    headerOf(request, "sec-fetch-site") !== "cross-site"
  );
}

interface Shown {
  inbox: CaptureInbox;
  formToken: string;
}

function findInInbox(
  { inbox, formToken }: Shown,
  request: WireRequest,
  { path, query }: { path: string; query: string },
): (() => WireReply | Promise<WireReply>) | undefined {
  const { method } = request;
  if (method === "POST" && path === "/inbox/clear") return () => clear({ inbox, formToken }, request);
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path === "/inbox") return () => htmlReply(inboxPage(inbox.list(), formToken));
  if (path === "/inbox.json") return () => jsonReply(inbox.list());
  const match = /^\/inbox\/([\w-]{1,64})(\.json)?$/.exec(path);
  const mail = match?.[1] === undefined ? undefined : inbox.find(match[1]);
  if (mail === undefined) return undefined;
  if (match?.[2] !== undefined) return () => jsonReply(mail);
  return () => htmlReply(inboxMailPage(mail, { pictures: query === "pictures=1" }));
}

/** Forgets all mails where the form says the token that it was given. Throws `forbidden` otherwise. */
async function clear({ inbox, formToken }: Shown, request: WireRequest): Promise<WireReply> {
  const fields = new URLSearchParams(Buffer.from(await request.readBody(1024)).toString());
  if (fields.get("token") !== formToken) {
    throw new ServiceError("forbidden", { message: "The form is out of date: load the page again." });
  }
  inbox.clear();
  return { status: 303, headers: { location: "../inbox", "cache-control": "no-store" }, body: "" };
}
