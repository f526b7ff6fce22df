import type { Visit } from "@posthorn/core";
import { headerOf, type WireReply, type WireRequest } from "../contract/wire-request.ts";
import type { ServedPosthorn } from "../server/served-posthorn.ts";
import { incompleteLink } from "./incomplete-link.ts";

/** Handlers of the links and images in tracked e-mails. */
export interface TrackedLinks {
  /** Finds the handler of a path; `undefined` if the path is neither a tracked link nor an image. */
  find(request: WireRequest, path: string): (() => WireReply) | undefined;
  /** Returns the methods of a path, as in `Allow`; `undefined` if it is none of these. */
  allow(path: string): string | undefined;
}

/**
 * Creates the handlers of `/c/{token}` and `/o/{token}.gif` (platform.md P11). HEAD counts nothing. A link's destination is in its token, so
 * that it is followed without the database, and long after the e-mail was removed. An image is answered whatever its
 * token, as a reader would only see that it is broken.
 */
export function createTrackedLinks({
  followLink,
  recordOpen,
}: Pick<ServedPosthorn, "followLink" | "recordOpen">): TrackedLinks {
  return {
    find(request, path) {
      const { method } = request;
      if (method !== "GET" && method !== "HEAD") return undefined;
      const [, kind, token = ""] = tracked.exec(path) ?? [];
      const visit = method === "HEAD" ? undefined : visitOf(request);
      if (kind === "c") return () => redirectTo(followLink(token, visit));
      if (kind !== "o") return undefined;
      return () => {
        if (visit !== undefined) recordOpen(token.replace(/\.gif$/, ""), visit);
        return image;
      };
    },
    allow: (path) => (tracked.test(path) ? "GET, HEAD, OPTIONS" : undefined),
  };
}

const tracked = /^\/([co])\/([^/]+)$/;

/** Headers by which browsers and their extensions say that nobody asked for the page yet. */
const prefetchHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

const visitOf = (request: WireRequest): Visit => ({
  ip: request.ip,
  userAgent: headerOf(request, "user-agent") ?? "",
  isPrefetch: prefetchHeaders.some((name) =>
    /\b(?:prefetch|prerender|preview|instant)\b/i.test(headerOf(request, name) ?? ""),
  ),
});

/** No cache may answer in the service's place, and no other site learns of the token. */
const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex" };

/** One transparent pixel (GIF89a): 43 bytes. */
const pixel = Uint8Array.from(
  Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64"),
);

const image: WireReply = {
  status: 200,
  headers: { ...headers, "content-type": "image/gif", "x-content-type-options": "nosniff" },
  body: pixel,
};

function redirectTo(location: string | undefined): WireReply {
  if (location !== undefined) return { status: 302, headers: { ...headers, location }, body: "" };
  const reply = incompleteLink();
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
