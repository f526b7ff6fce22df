import { htmlReply, jsonReply, type Page } from "../plain-reply.ts";
import { headerOf, type WireReply, type WireRequest } from "../wire-request.ts";
import { invitationPage, resetPasswordPage, verifyEmailPage } from "./account-pages.ts";
import type { CaptureInbox } from "./capture-inbox.ts";
import { inboxMailPage, inboxPage } from "./inbox-pages.ts";

export interface PagesOptions {
  /** Shows captured mail to everyone who reaches the server: only for one bound to loopback. Default none. */
  inbox?: CaptureInbox;
}

export interface Pages {
  /** What answers a path of a page; `undefined` for a path that is not ours. */
  find(request: WireRequest, path: string): (() => WireReply) | undefined;
}

const accountPages: Record<string, () => Page> = {
  "/app/verify-email": verifyEmailPage,
  "/app/reset-password": resetPasswordPage,
  "/app/invitations": invitationPage,
};

/** Makes the pages that links in mails lead to, where no front end is configured, and those of captured mail. */
export function createPages({ inbox }: PagesOptions): Pages {
  const replies = new Map(Object.entries(accountPages).map(([path, page]) => [path, htmlReply(page())]));
  return {
    find(request, path) {
      const { method } = request;
      const reads = method === "GET" || method === "HEAD";
      const reply = reads ? replies.get(path) : undefined;
      if (reply !== undefined) return () => reply;
      return inbox === undefined ? undefined : findInInbox(inbox, request, path);
    },
  };
}

/** A page of another site that got its name resolved to this machine must not read mails with their tokens. */
const localHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

function findInInbox(inbox: CaptureInbox, request: WireRequest, path: string): (() => WireReply) | undefined {
  const { method } = request;
  if (!localHost.test(headerOf(request, "host") ?? "")) return undefined;
  if (headerOf(request, "sec-fetch-site") === "cross-site") return undefined;
  if (method === "POST" && path === "/inbox/clear") {
    return () => {
      inbox.clear();
      return { status: 303, headers: { location: "../inbox", "cache-control": "no-store" }, body: "" };
    };
  }
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path === "/inbox") return () => htmlReply(inboxPage(inbox.list()));
  if (path === "/inbox.json") return () => jsonReply(inbox.list());
  const match = /^\/inbox\/([\w-]{1,64})(\.json)?$/.exec(path);
  const mail = match?.[1] === undefined ? undefined : inbox.find(match[1]);
  if (mail === undefined) return undefined;
  return () => (match?.[2] === undefined ? htmlReply(inboxMailPage(mail)) : jsonReply(mail));
}
