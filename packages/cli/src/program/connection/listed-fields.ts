import type { RouteSignature } from "@posthorn/client";

/** Returns the fields of an item in a route's list. The contract is loaded only for this. */
export const listedFields = async (asks: RouteSignature): Promise<readonly string[]> =>
  (await import("@posthorn/http/internal")).listedFields(asks);
