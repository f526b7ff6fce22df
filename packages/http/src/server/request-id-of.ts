import type { WireRequest } from "../contract/wire-request.ts";

/** Returns the caller's own id for a request, if it is valid. */
export function requestIdOf({ headers }: Pick<WireRequest, "headers">): string | undefined {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.-]{1,128}$/.test(given) ? given : undefined;
}
