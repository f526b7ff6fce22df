import type { WriteContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { userOrThrow } from "./user-or-throw.ts";

/**
 * Records that the user has proven the address, and deletes outstanding verification links. Returns the updated user.
 */
export async function markVerified(
  { storage, now, emit }: Pick<WriteContext, "storage" | "now" | "emit">,
  user: User,
): Promise<User> {
  if (user.emailVerifiedAt !== undefined) return user;
  const verified = await userOrThrow(storage.users.update(user.id, { emailVerifiedAt: now }), user.id);
  await storage.emailTokens.deleteFor(user.id, "verify_email");
  emit("user.email_verified", {
    userId: user.id,
    actor: { id: user.id, name: user.name },
    metadata: { email: user.email },
  });
  return verified;
}
