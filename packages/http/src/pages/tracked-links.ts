import type { WireReply, WireRequest } from "../contract/wire-request.ts";
import { htmlReply } from "../server/plain-reply.ts";
import type { ServedPosthorn } from "../server/served-posthorn.ts";
import { pageFrame } from "./page-frame.ts";

/** Handlers of the links and images in tracked e-mails. */
export interface TrackedLinks {
  /** Finds the handler of a path; `undefined` if the path is neither a tracked link nor an image. */
  find(request: WireRequest, path: string): (() => WireReply) | undefined;
}

/**
 * Creates the handlers of `/c/{token}` and `/o/{token}.gif` (platform.md P11). A link's destination is in its token, so
 * that it is followed without the database, and long after the e-mail was removed. An image is answered whatever its
 * token, as a reader would only see that it is broken.
 */
export function createTrackedLinks({
  trackedDestination,
}: Pick<ServedPosthorn, "trackedDestination">): TrackedLinks {
  return {
    find({ method }, path) {
      if (method !== "GET" && method !== "HEAD") return undefined;
      const [, kind, token = ""] = /^\/([co])\/([^/]+)$/.exec(path) ?? [];
      if (kind === "o") return () => image;
      return kind === "c" ? () => redirectTo(trackedDestination(token)) : undefined;
    },
  };
}

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
  const html = pageFrame(
    "This link is incomplete",
    "<p>Mail programs sometimes break long links. Open it again from the e-mail, or copy the whole link.</p>",
    "recipients",
  );
  const reply = htmlReply({ html, status: 404 });
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
