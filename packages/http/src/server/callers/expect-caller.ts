import type { ApiKeyCaller, Call } from "@posthorn/core";
import type { Route } from "../../contract/route.ts";
import { headerOf, type WireRequest } from "../../contract/wire-request.ts";
import type { ServedPosthorn } from "../served-posthorn.ts";
import { bearerOf, clientOf, namesAnother } from "./authenticate.ts";

/**
 * Maximum size in bytes of a body that is read while the key is looked up: reading it costs next to nothing, whoever
 * sent it.
 */
const bodyAtMost = 65_536;

/**
 * Returns the call of a send whose key was valid at its last use, before that is confirmed: the data that the send needs
 * is then read together with the key, in one round trip to the database instead of two. `undefined` if the credentials
 * must be checked first. Throws what `bearerOf` throws.
 */
export function expectCaller(
  posthorn: Pick<ServedPosthorn, "expectApiKey">,
  { useCase, access }: Pick<Route, "useCase" | "access">,
  request: WireRequest,
  requestId: string,
): (Call & { caller: ApiKeyCaller }) | undefined {
  const length = headerOf(request, "content-length");
  if (!useCase.confirmsCaller || access !== "api_key" || length === undefined) return undefined;
  if (!(Number(length) <= bodyAtMost)) return undefined;
  const caller = posthorn.expectApiKey(bearerOf(request));
  if (caller === undefined || namesAnother(request, caller.workspaceId)) return undefined;
  return { caller, client: clientOf(request, requestId), workspaceId: undefined };
}
