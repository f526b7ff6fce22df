import type { UserCaller } from "../../calls/caller.ts";
import { ServiceError } from "../../errors.ts";
import type { Repositories, User } from "../../ports/storage.ts";
import { userOrThrow } from "../users/user-or-throw.ts";

/**
 * Locks the caller, for a change that ends other sessions. Throws `unauthenticated` if the caller's own was revoked since
 * the request began: of two sessions that end each other at once, the first stays.
 */
export async function lockCaller(
  { users, sessions }: Pick<Repositories, "users" | "sessions">,
  { userId, sessionId }: UserCaller,
): Promise<User> {
  const user = await userOrThrow(users.lock(userId), userId);
  if (sessionId === undefined) return user;
  const found = await sessions.findWithUser(sessionId);
  if (found === undefined || found.session.revokedAt !== undefined) throw new ServiceError("unauthenticated");
  return user;
}
