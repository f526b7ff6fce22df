import { type Call, type FileView, fieldError, ServiceError } from "@posthorn/core";
import { type Holder, parseJson } from "@posthorn/core/internal";
import type { RawBody, Route } from "../../contract/route.ts";
import { headerOf, type WireReply, type WireRequest } from "../../contract/wire-request.ts";
import { authenticate, credentialsFor } from "../callers/authenticate.ts";
import { expectCaller } from "../callers/expect-caller.ts";
import { jsonHeaders } from "../replies/error-response.ts";
import { fileReply } from "../replies/file-reply.ts";
import { wrap } from "../replies/wrap.ts";
import type { BodyTurns } from "../requests/body-turns.ts";
import { cleanFileNames } from "../requests/clean-file-names.ts";
import { isListFile, readFile, refuseEncoded } from "../requests/read-file.ts";
import type { ServedPosthorn } from "../served-posthorn.ts";
import type { BoundRoute } from "./bind-route.ts";
import { runRoute } from "./run-route.ts";

/** Result of the router for a request. */
export interface Routed {
  bound: BoundRoute;
  params: Record<string, string | undefined>;
  query: string;
}

/** Answers a request through its use case: credentials → fields → use case → envelope. Throws refusals. */
export async function answerRoute(
  posthorn: ServedPosthorn,
  { bound: found, params, query }: Routed,
  request: WireRequest,
  { requestId, bodyTurns }: { requestId: string; bodyTurns: BodyTurns },
): Promise<WireReply> {
  const bound = (isListFile(request) && found.listFile) || found;
  const routed = { bound, params, query };
  const expected = expectCaller(posthorn, bound.route, request, requestId);
  // Before the body is read: an unauthenticated caller's body is not read at all.
  const call = expected ?? (await authenticate(posthorn, credentialsFor(bound.route), request, requestId));
  try {
    return await answerCall(posthorn, routed, { request, requestId, call, bodyTurns });
  } catch (error) {
    // If the credentials are refused, that error takes precedence over any other.
    await expected?.caller.confirm?.();
    throw error;
  }
}

interface Answering {
  request: WireRequest;
  requestId: string;
  call: Call;
  bodyTurns: BodyTurns;
}

/** Whose body it is, for its turn. */
const senderOf = ({ caller, client }: Call): Holder =>
  caller.kind === "api_key"
    ? caller.workspaceId
    : caller.kind === "user"
      ? `user ${caller.userId}`
      : `client ${client.ip}`;

/**
 * Ms after which a caller is authenticated again before anything is done: a body may come for as long as its sender likes,
 * who has lost a key, a login or a right meanwhile.
 */
const knownMs = 1_000;

/** Whether the caller is an API key that is still to be looked up. */
const isExpected = ({ caller }: Call): boolean => caller.kind === "api_key" && caller.confirm !== undefined;

/** Handles body, fields, use case and envelope of an authenticated request. */
async function answerCall(
  posthorn: ServedPosthorn,
  { bound, params, query }: Routed,
  { request, requestId, call: known, bodyTurns }: Answering,
): Promise<WireReply> {
  const { route } = bound;
  const knownAt = performance.now();
  const { value: body, jsonBytes } = await bodyOf(bound, request, (bytes, parse) =>
    bodyTurns(bytes, senderOf(known), parse),
  );
  // Of an expected key, only what is confirmed after the body counts.
  const isLate = performance.now() - knownAt > knownMs && !isExpected(known);
  const call = isLate ? await authenticate(posthorn, credentialsFor(route), request, requestId) : known;
  call.jsonBytes = jsonBytes;
  call.hasLeft = request.hasLeft;
  if (route.idempotent && request.repeatedIdempotencyKey === true)
    throw fieldError("Idempotency-Key", "is given more than once");
  const idempotencyKey = route.idempotent ? headerOf(request, "idempotency-key") : undefined;
  const sources = { params, query: withFormat(request, route, query), body, idempotencyKey };
  const ran = await runRoute(posthorn, bound, { sources, call });
  return replyOf(ran.route, ran.outcome, requestId);
}

/** Adds the field for the format that `Accept` requests, unless the query has it. */
function withFormat(request: WireRequest, { secondFormat }: Route, query: string): string {
  if (secondFormat === undefined) return query;
  const { type, insteadOf, query: added } = secondFormat;
  const accepted = headerOf(request, "accept")?.toLowerCase() ?? "";
  if (weightOf(type, accepted) <= weightOf(insteadOf, accepted)) return query;
  const fields = new URLSearchParams(query);
  if (fields.has(added.name)) return query;
  fields.set(added.name, added.value);
  return fields.toString();
}

/** The weight that `Accept` gives a type by name (RFC 9110 section 12.5.1); 0 for a type that it does not name. */
function weightOf(type: string, accepted: string): number {
  for (const range of accepted.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    if (name === type) return Number(weight) || 0;
  }
  return 0;
}

/** A body's value, and the size of the JSON that it was parsed from, if it was. */
interface Body {
  value: unknown;
  jsonBytes?: number;
}

type TakeTurn = (bytes: Uint8Array, parse: () => Body) => Body | Promise<Body>;

function bodyOf(
  { route, takesBody, takesFile }: BoundRoute,
  request: WireRequest,
  takeTurn: TakeTurn,
): Body | Promise<Body> {
  if (takesFile) return { value: readFile(request) };
  if (!takesBody) return { value: undefined };
  const bytes = request.readBody(route.maxBytes);
  const parse = (read: Uint8Array) => takeTurn(read, () => parseBody(request, route, read));
  return bytes instanceof Promise ? bytes.then(parse) : parse(bytes);
}

/** Bytes and header fields as received, because a signature may cover any of them. */
function wholeRequest({ headers }: WireRequest, raw: RawBody, bytes: Uint8Array): Record<string, unknown> {
  const single = Object.entries(headers).filter(([, value]) => typeof value === "string");
  return {
    [raw.field]: Buffer.from(bytes).toString("latin1"),
    ...(raw.headers === undefined ? {} : { [raw.headers]: Object.fromEntries(single) }),
  };
}

function parseBody(request: WireRequest, { maxValues, raw }: Route, bytes: Uint8Array): Body {
  if (raw?.type === "*") {
    // Of one that can't be read, nothing would match, and its sender would take it for received.
    refuseEncoded(request);
    return { value: wholeRequest(request, raw, bytes) };
  }
  if (bytes.length === 0) return { value: undefined };
  const stated = (headerOf(request, "content-type") ?? "").toLowerCase();
  const [type = ""] = stated.split(";", 1);
  const isRaw = raw !== undefined && type.trim() === raw.type;
  if (!isRaw && type.trim() !== "application/json") {
    const message =
      raw === undefined ? {} : { message: `Send the body as ${raw.type}, or as application/json.` };
    throw new ServiceError("unsupported_media_type", message);
  }
  refuseEncoded(request);
  if (isRaw) return { value: { [raw.field]: Buffer.from(bytes).toString("latin1") } };
  refuseCharset(stated);
  const value = parseJson(bytes, { allowInexact: false, maxValues, repair: cleanFileNames });
  return { value, jsonBytes: bytes.length };
}

/** Throws `unsupported_media_type` for JSON in another encoding than UTF-8 (RFC 8259 section 8.1), of which ASCII is a part. */
function refuseCharset(contentType: string): void {
  const charset = /;[ \t]*charset="?([^\s";]*)/.exec(contentType)?.[1];
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/.test(charset))
    throw new ServiceError("unsupported_media_type", { message: "Send JSON in UTF-8." });
}

function replyOf(route: Route, outcome: unknown, requestId: string): WireReply {
  if (route.envelope === "file") return fileReply(outcome as FileView, requestId);
  const headers = jsonHeaders(requestId);
  if (route.envelope === "none") {
    delete headers["content-type"];
    return { status: route.status, headers, body: "" };
  }
  const wrapped = wrap(route, outcome);
  Object.assign(headers, wrapped.headers);
  return { status: wrapped.status, headers, body: JSON.stringify(wrapped.body) };
}
