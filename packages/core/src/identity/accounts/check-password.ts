import type { ReadContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { clientGuard, guardOf, releaseAttempt } from "../guard-attempts.ts";
import { isPassword } from "../users/password-work.ts";

/** Result of a password check. `rehash` is a new hash to store if the stored one was made with older parameters. */
export type CheckedPassword =
  | { right: false; user: User | undefined }
  | { right: true; user: User; rehash: string | undefined };

/**
 * Checks a password. Each attempt is counted by account and by client address. A correct password clears the
 * account's count, but takes only this one attempt off the client's: clearing that too would let anybody with an
 * account go on guessing at others.
 */
export async function checkPassword(
  context: ReadContext,
  { email, password }: { email: string; password: string },
): Promise<CheckedPassword> {
  const { storage, runtime } = context;
  const account = guardOf.accountPasswords(email);
  const byClient = clientGuard("passwords", context);
  const user = await storage.users.findByEmail(email);
  const right = await isPassword(context, user?.passwordHash, password, {
    guards: [byClient, account],
    async forgive() {
      await storage.guards.clear(account.key);
      await releaseAttempt(context, byClient);
    },
  });
  if (!right || user?.passwordHash === undefined) return { right: false, user };
  // If the hasher is too busy now, the next login rehashes.
  const rehash = runtime.passwords.needsRehash(user.passwordHash)
    ? await runtime.passwords.rehash(user.passwordHash, password).catch(() => undefined)
    : undefined;
  return { right: true, user, rehash };
}
