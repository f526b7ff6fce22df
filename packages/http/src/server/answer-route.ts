import { fieldError, parseJson, ServiceError } from "@posthorn/core";
import type { Route } from "../contract/route.ts";
import { headerOf, type WireReply, type WireRequest } from "../contract/wire-request.ts";
import { authenticate, credentialsFor } from "./authenticate.ts";
import type { BoundRoute } from "./bind-route.ts";
import { jsonHeaders } from "./error-response.ts";
import type { Posthorn } from "./posthorn.ts";
import { runRoute } from "./run-route.ts";
import { wrap } from "./wrap.ts";

/** What the router found out about a request. */
export interface Routed {
  bound: BoundRoute;
  params: Record<string, string | undefined>;
  query: string;
}

/** Takes a request through its use case: credentials → fields → use case → envelope. Throws what refuses it. */
export async function answerRoute(
  posthorn: Posthorn,
  { bound, params, query }: Routed,
  request: WireRequest,
  requestId: string,
): Promise<WireReply> {
  const { route } = bound;
  // Before the body: what an unknown caller sends is not even read.
  const call = await authenticate(posthorn, credentialsFor(route.access), request);
  const body = bound.takesBody ? await readJson(request, route.maxBytes) : undefined;
  if (route.idempotent && request.repeatedIdempotencyKey === true)
    throw fieldError("Idempotency-Key", "is given more than once");
  const idempotencyKey = route.idempotent ? headerOf(request, "idempotency-key") : undefined;
  const sources = { params, query, body, idempotencyKey };
  return replyOf(route, await runRoute(posthorn, bound, { sources, call }), requestId);
}

async function readJson(request: WireRequest, maxBytes: number): Promise<unknown> {
  const bytes = await request.readBody(maxBytes);
  if (bytes.length === 0) return undefined;
  const type = headerOf(request, "content-type");
  const encoding = headerOf(request, "content-encoding");
  if (type === undefined || !/^application\/json *(?:;|$)/i.test(type)) {
    throw new ServiceError("unsupported_media_type");
  }
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new ServiceError("unsupported_media_type", { message: "Send the body uncompressed." });
  }
  return parseJson(bytes);
}

function replyOf(route: Route, outcome: unknown, requestId: string): WireReply {
  const headers = jsonHeaders(requestId);
  if (route.envelope === "none") {
    delete headers["content-type"];
    return { status: route.status, headers, body: "" };
  }
  const { otherwise } = route;
  const isOther = otherwise !== undefined && (otherwise.when as (outcome: unknown) => boolean)(outcome);
  const status = isOther ? otherwise.status : route.status;
  return { status, headers, body: JSON.stringify(wrap(route, outcome)) };
}
