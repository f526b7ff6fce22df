import { headerOf, type WireRequest } from "../contract/wire-request.ts";
import { isLoopbackAddress } from "../server/client-address.ts";

const localHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request comes from this machine, by a name of this machine, and not through a proxy: a page of another site that got its
 * name resolved to this machine must not read mails with their tokens.
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
