import { headerOf, type WireReply, type WireRequest } from "../../contract/wire-request.ts";
import { readOrigins } from "./read-origins.ts";

/** Response headers that browser clients may read. */
const exposed =
  "Content-Disposition, Idempotent-Replayed, Posthorn-Deduplicated, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/** Allows an exact list of origins to call from a browser, and no others. No cookies are involved. */
export function createCors(
  origins: readonly string[] | undefined,
): (request: WireRequest, reply: WireReply) => void {
  const allowed = new Set(readOrigins(origins));
  if (allowed.size === 0) return () => {};
  return (request, { headers }) => {
    headers.vary = headers.vary === undefined ? "Origin" : `${headers.vary}, Origin`;
    const origin = headerOf(request, "origin");
    if (origin === undefined || !allowed.has(origin)) return;
    headers["access-control-allow-origin"] = origin;
    headers["access-control-expose-headers"] = exposed;
    if (request.method !== "OPTIONS") return;
    headers["access-control-allow-methods"] = headers.allow ?? "GET";
    headers["access-control-allow-headers"] =
      "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, X-Service-Workspace-Id";
    headers["access-control-max-age"] = "600";
  };
}
