import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { headerOf, type WireReply, type WireRequest } from "../../contract/wire-request.ts";

/** Responds with a document that stays the same for the life of the process. */
export type DocumentReply = (request: WireRequest) => Promise<WireReply>;

/** The document is packed on first request of a client that accepts gzip. */
export function documentReply({ headers, body }: WireReply): DocumentReply {
  const bytes = Buffer.from(body);
  const plain = formOf(headers, bytes);
  let packed: Promise<Form> | undefined;
  return async (request) => {
    if (!acceptsGzip(request)) return plain(request);
    packed ??= promisify(gzip)(bytes).then((made) => formOf(inGzip(headers), made));
    try {
      return (await packed)(request);
    } catch {
      // Where memory was short for a moment, the next client has it packed again.
      packed = undefined;
      return plain(request);
    }
  };
}

/** The document is kept in gzip, and unpacked for each of the few clients that don't accept that. */
export function packedDocumentReply(
  headers: WireReply["headers"],
  packed: Uint8Array<ArrayBuffer>,
): DocumentReply {
  const answerPacked = formOf(inGzip(headers), packed);
  return async (request) =>
    acceptsGzip(request)
      ? answerPacked(request)
      : { status: 200, headers: { ...headers, ...common }, body: await promisify(gunzip)(packed) };
}

type Form = (request: WireRequest) => WireReply;

const common = { "cache-control": "no-cache", vary: "Accept-Encoding" };

const inGzip = (headers: WireReply["headers"]): WireReply["headers"] => ({
  ...headers,
  "content-encoding": "gzip",
});

/** All responses in a form share its bytes, and its ETag saves clients from loading it again. */
function formOf(others: WireReply["headers"], body: Uint8Array<ArrayBuffer>): Form {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const validators = { ...common, etag };
  return (request) => {
    const known = headerOf(request, "if-none-match")?.split(",") ?? [];
    // `*` is whatever the client has (RFC 9110 section 13.1.2).
    const isKnown = known.some((each) => [etag, "*"].includes(each.trim().replace(/^W\//, "")));
    return isKnown
      ? { status: 304, headers: { ...validators }, body: "" }
      : { status: 200, headers: { ...others, ...validators }, body };
  };
}

const acceptsGzip = (request: WireRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i.test(headerOf(request, "accept-encoding") ?? "");
