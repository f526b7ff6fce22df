import { createUuidSource } from "@posthorn/core/internal";
import type { WireRequest } from "../../contract/wire-request.ts";

/** Returns a request's id: the caller's own if it gave a valid one, else a new one. */
export function requestIdOf({ headers }: Pick<WireRequest, "headers">): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.-]{1,128}$/.test(given) ? given : newRequestId();
}

const newUuid = createUuidSource();

/** Returns the id of a request that has none: as all ids, a UUID of version 7, which sorts by time (decisions §1). */
export const newRequestId = (): string => newUuid(Date.now());
