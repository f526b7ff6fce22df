import { ServiceError } from "../errors.ts";
import type { Repositories } from "../ports/storage.ts";
import type { Caller } from "./caller.ts";

/**
 * Checks in a change's transaction that the caller's session, if there is one, was not revoked since the request began:
 * its body may have come slowly. With `now`, also that it has not expired: a change that a login began, it may finish.
 * Throws `unauthenticated` otherwise.
 */
export async function assertSession(
  { sessions }: Pick<Repositories, "sessions">,
  caller: Caller,
  now = 0,
): Promise<void> {
  if (caller.kind !== "user" || caller.sessionId === undefined) return;
  const found = await sessions.findWithUser(caller.sessionId);
  const hasEnded =
    found === undefined || found.session.revokedAt !== undefined || found.session.expiresAt <= now;
  if (hasEnded) throw new ServiceError("unauthenticated");
}
