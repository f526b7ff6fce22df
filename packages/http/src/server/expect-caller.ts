import type { Call } from "@posthorn/core";
import type { Route } from "../contract/route.ts";
import { headerOf, type WireRequest } from "../contract/wire-request.ts";
import { bearerOf, clientOf } from "./authenticate.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

/** A body is read beside the look at the key only where reading it costs next to nothing, whoever sent it, bytes. */
const bodyAtMost = 65_536;

/** A caller who is being looked up. */
export interface ExpectedCaller {
  call: Call;
  /** Rejects with what refuses the credentials. */
  confirmed: Promise<void> | undefined;
}

/**
 * The caller of a request that sends, where its key was good when it last came: what the request asks for is then read together with the
 * key, one way to the database instead of two. `undefined` where the credentials have to be looked at first. Throws what `bearerOf` throws.
 */
export function expectCaller(
  posthorn: Pick<ServedPosthorn, "expectApiKey">,
  { useCase, access }: Pick<Route, "useCase" | "access">,
  request: WireRequest,
  requestId: string,
): ExpectedCaller | undefined {
  const length = headerOf(request, "content-length");
  if (!useCase.confirmsCaller || access !== "api_key" || length === undefined) return undefined;
  if (!(Number(length) <= bodyAtMost)) return undefined;
  const caller = posthorn.expectApiKey(bearerOf(request));
  if (caller === undefined) return undefined;
  const call: Call = { caller, client: clientOf(request, requestId), workspaceId: undefined };
  return { call, confirmed: caller.confirmed };
}
