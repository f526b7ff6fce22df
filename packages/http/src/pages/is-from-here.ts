import { headerOf, type WireRequest } from "../contract/wire-request.ts";
import { isLoopbackAddress } from "../server/callers/client-address.ts";

const localHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request comes from this machine directly, under a name of this machine. A page of another site whose name
 * was made to resolve to this machine (DNS rebinding) must not read mails and their tokens.
 */
export function isFromHere(request: WireRequest): boolean {
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
