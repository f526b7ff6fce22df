import type { WriteContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { guardOf } from "../guard-attempts.ts";
import { mailboxOf } from "./user-view.ts";

/**
 * Stores a new hash and, in the same transaction, revokes every session but `exceptSessionId`, deletes reset links,
 * failed attempts and a two-factor set-up that waits for its first code, and notifies the user by mail.
 */
export async function replacePassword(
  { storage, now, mail }: Pick<WriteContext, "storage" | "now" | "mail">,
  user: User,
  { hash, exceptSessionId }: { hash: string; exceptSessionId: string | undefined },
): Promise<void> {
  await storage.users.update(user.id, { passwordHash: hash });
  await storage.sessions.revokeAll(user.id, exceptSessionId, now);
  await storage.emailTokens.deleteFor(user.id, "reset_password");
  // One of those sessions may have begun it, and its holder know the secret.
  await storage.users.setPendingTotp(user.id, undefined);
  await storage.guards.clear(guardOf.accountPasswords(user.email).key);
  mail({ kind: "password_changed", to: mailboxOf(user), data: { name: user.name } });
}
