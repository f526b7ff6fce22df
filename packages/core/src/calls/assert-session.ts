import { ServiceError } from "../errors.ts";
import type { Repositories } from "../ports/storage.ts";
import type { Caller } from "./caller.ts";

/**
 * Checks in a change's transaction that the caller's session, if there is one, was not revoked since the request began:
 * its body may have come slowly. Throws `unauthenticated` otherwise.
 */
export async function assertSession(
  { sessions }: Pick<Repositories, "sessions">,
  caller: Caller,
): Promise<void> {
  if (caller.kind !== "user" || caller.sessionId === undefined) return;
  const found = await sessions.findWithUser(caller.sessionId);
  if (found === undefined || found.session.revokedAt !== undefined) throw new ServiceError("unauthenticated");
}
