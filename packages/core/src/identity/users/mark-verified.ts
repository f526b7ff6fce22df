import type { WriteContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { userOrThrow } from "./user-or-throw.ts";

/** Notes that the user has proven the address; links that would prove it are worth nothing from here on. The user as it is then. */
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

/**
 * As `markVerified`, for a person who proved the address and not the password: whatever login a stranger set up before, on an address
 * that was not verified, is undone. The new password is the caller's to put in place.
 */
export async function takeOverUnverified(
  context: Pick<WriteContext, "storage" | "now" | "emit">,
  user: User,
): Promise<User> {
  if (user.emailVerifiedAt !== undefined) return user;
  await context.storage.users.disableTotp(user.id);
  return await markVerified(context, user);
}
