import { domainToUnicode } from "node:url";
import { ServiceError, type UnsubscriptionView } from "@posthorn/core";
import { useCases } from "@posthorn/core/internal";
import { headerOf, type WireReply, type WireRequest } from "../contract/wire-request.ts";
import { escapeHtml, htmlReply, textReply } from "../server/replies/plain-reply.ts";
import type { ServedPosthorn } from "../server/served-posthorn.ts";
import { incompleteLink } from "./incomplete-link.ts";
import { pageFrame } from "./page-frame.ts";

/** Handlers of unsubscribe links. */
export interface UnsubscribePages {
  /** Finds the handler of a path; `undefined` if the path is not an unsubscribe link. */
  find(request: WireRequest, path: string): (() => Promise<WireReply>) | undefined;
  /** Returns the methods of a path, as in `Allow`; `undefined` if it is none of these. */
  allow(path: string): string | undefined;
}

const link = /^\/u\/([^/]+)$/;

/** Maximum body size in bytes: mail programs and our own form send only a few words. */
const maxBody = 4 * 1024;

/**
 * Creates the pages of `/u/{token}` (platform.md P10, RFC 8058). A GET changes nothing, because mail scanners open
 * links; a POST unsubscribes, whatever its body. The pages work without JavaScript.
 */
export function createUnsubscribePages(posthorn: ServedPosthorn): UnsubscribePages {
  const { get, create, undo } = useCases.unsubscriptions;
  const ask = (
    useCase: typeof get | typeof create | typeof undo,
    request: WireRequest,
    token: string,
  ): Promise<UnsubscriptionView | undefined> =>
    posthorn
      .execute(
        useCase,
        { token },
        {
          caller: { kind: "anonymous" },
          client: { ip: request.ip, userAgent: headerOf(request, "user-agent") ?? "" },
          workspaceId: undefined,
        },
      )
      .catch(unlessOurs);

  async function change(request: WireRequest, token: string): Promise<WireReply> {
    const form = await readForm(request);
    if (form.get("undo") === "1") return pageOf(await ask(undo, request, token), { undone: true });
    const view = await ask(create, request, token);
    // A mail program would only retry after an error, and a caller who guesses tokens must learn nothing.
    return form.get("confirm") === "1" ? pageOf(view) : textReply("You are unsubscribed.\n");
  }

  return {
    find(request, path) {
      const token = link.exec(path)?.[1];
      if (token === undefined) return undefined;
      if (request.method === "POST") return () => change(request, token);
      if (request.method !== "GET" && request.method !== "HEAD") return undefined;
      return async () => pageOf(await ask(get, request, token));
    },
    allow: (path) => (link.test(path) ? "GET, HEAD, POST, OPTIONS" : undefined),
  };
}

/** The response for an invalid link, which tells nothing else about it. */
function unlessOurs(error: unknown): undefined {
  const isUnknown = error instanceof ServiceError && /^(?:not_found|validation_failed)$/.test(error.code);
  if (!isUnknown) throw error;
}

/** Reads the fields of our own form; empty for any other body. */
async function readForm(request: WireRequest): Promise<URLSearchParams> {
  const body = await request.readBody(maxBody);
  const isForm = /^application\/x-www-form-urlencoded *(?:;|$)/i.test(
    headerOf(request, "content-type") ?? "",
  );
  return new URLSearchParams(isForm ? Buffer.from(body).toString() : "");
}

function pageOf(view: UnsubscriptionView | undefined, { undone = false } = {}): WireReply {
  if (view === undefined) return incompleteLink();
  const from = `from the list <strong>${escapeHtml(view.list)}</strong>`;
  const address = `<strong>${escapeHtml(asRead(view.email))}</strong>`;
  const button = (name: string, words: string, look = "") =>
    `<form method="post"><button name="${name}" value="1"${look}>${words}</button></form>`;
  if (view.isSubscribed && undone)
    return htmlReply({
      html: pageFrame(
        "You are subscribed again",
        `<p>E-mails ${from} go to ${address} again.</p>`,
        "recipients",
      ),
    });
  if (view.isSubscribed)
    return htmlReply({
      html: pageFrame(
        "Unsubscribe",
        `<p>Stop e-mails ${from} to ${address}?</p>${button("confirm", "Unsubscribe")}`,
        "recipients",
      ),
    });
  const undo = view.canUndo
    ? `<p><small>By mistake? You can undo this for ten minutes.</small></p>${button("undo", "Undo", ' class="plain"')}`
    : "";
  return htmlReply({
    html: pageFrame(
      "You are unsubscribed",
      `<p>No more e-mails ${from} go to ${address}.</p>${undo}`,
      "recipients",
    ),
  });
}

/** The address with its domain as its owner writes it: it is stored in ASCII. */
function asRead(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at) + (domainToUnicode(address.slice(at)) || address.slice(at));
}
