import { ServiceError } from "../errors.ts";
import type { Repositories } from "../ports/storage.ts";
import type { Caller } from "./caller.ts";

/**
 * Checks in a change's transaction that the caller's API key, if it is one, was not revoked and has not expired since the
 * request began: its file may have come slowly. Throws `unauthenticated` otherwise.
 */
export async function assertKey(
  { apiKeys }: Pick<Repositories, "apiKeys">,
  caller: Caller,
  now: number,
): Promise<void> {
  if (caller.kind !== "api_key") return;
  const key = await apiKeys.find(caller.workspaceId, caller.apiKeyId);
  if (key === undefined || key.revokedAt !== undefined || (key.expiresAt ?? Number.POSITIVE_INFINITY) <= now)
    throw new ServiceError("unauthenticated");
}
