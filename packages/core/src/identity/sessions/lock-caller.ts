import { assertSession } from "../../calls/assert-session.ts";
import type { UserCaller } from "../../calls/caller.ts";
import type { Repositories, User } from "../../ports/storage.ts";
import { userOrThrow } from "../users/user-or-throw.ts";

/**
 * Locks the caller, for a change that ends other sessions. Throws `unauthenticated` if the caller's own was revoked since
 * the request began: of two sessions that end each other at once, the first stays.
 */
export async function lockCaller(
  storage: Pick<Repositories, "users" | "sessions">,
  caller: UserCaller,
): Promise<User> {
  const user = await userOrThrow(storage.users.lock(caller.userId), caller.userId);
  await assertSession(storage, caller);
  return user;
}
