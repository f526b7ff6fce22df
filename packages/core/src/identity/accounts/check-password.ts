import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";
import { clientGuard, guardOf, releaseAttempt, reserveAttempt } from "../guard-attempts.ts";
import { isPassword } from "../users/password-work.ts";

/** What came of a password. `rehash` is there where the stored hash is older than today's parameters. */
export type CheckedPassword =
  | { right: false; user: User | undefined }
  | { right: true; user: User; rehash: string | undefined };

/**
 * Checks a password, each attempt counted before it is made, by account and by client address, so that parallel guesses do not slip
 * through. A right one clears the account's count, and takes back this one attempt of the client's: clearing the client's count would let
 * anybody who has an account go on guessing at others.
 */
export async function checkPassword(
  context: ReadContext,
  { email, password }: { email: string; password: string },
): Promise<CheckedPassword> {
  const { storage, runtime } = context;
  const account = guardOf.accountPasswords(email);
  const byClient = clientGuard("passwords", context);
  await reserveAttempt(context, byClient, account);
  const user = await storage.users.findByEmail(email);
  try {
    const right = await isPassword(context, user?.passwordHash, password);
    if (!right || user?.passwordHash === undefined) return { right: false, user };
  } catch (error) {
    // Too busy to look at it: that was no guess.
    if (error instanceof ServiceError) await releaseAttempt(context, account, byClient);
    throw error;
  }
  await storage.guards.clear(account.key);
  await releaseAttempt(context, byClient);
  // Where that can't be done now, the next login will.
  const rehash = runtime.passwords.needsRehash(user.passwordHash)
    ? await runtime.passwords.hash(password).catch(() => undefined)
    : undefined;
  return { right: true, user, rehash };
}
