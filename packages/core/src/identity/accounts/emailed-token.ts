import { z } from "zod";
import type { ReadContext } from "../../calls/use-case.ts";
import { fieldError, type ServiceError } from "../../errors.ts";
import type { TokenPurpose, User } from "../../ports/storage.ts";
import { digest } from "../../rules/tokens.ts";
import { clientGuard, type Guard, reserveAttempt } from "../guard-attempts.ts";

/** A token from an e-mailed link. */
export const emailedToken = z
  .string()
  .min(1, "must not be empty")
  .max(200, "is too long")
  .describe("The token from the e-mailed link.");

/** The error for unknown, used and expired tokens alike. */
export const unusableToken = (): ServiceError =>
  fieldError("token", "is unknown, used or expired; ask for a new mail");

/** The rate limit of a client's attempts at mailed tokens. */
export const tokenGuard = (context: ReadContext): Guard | undefined => clientGuard("mailedTokens", context);

/**
 * Counts an attempt at a token, and returns the user it was mailed to without consuming it. Call it before a password is
 * hashed: strangers' guesses would take all places of the hasher. Throws `rate_limited`, and `validation_failed` for an
 * unusable token.
 */
export async function findHolder(
  context: ReadContext,
  purpose: TokenPurpose,
  token: string,
): Promise<number> {
  await reserveAttempt(context, tokenGuard(context));
  const userId = await context.storage.emailTokens.find(purpose, digest(token), context.now);
  if (userId === undefined) throw unusableToken();
  return userId;
}

/**
 * Locks the account that a token was mailed to, and consumes the token. In this order: whoever changes an account deletes
 * its tokens under the lock, and would otherwise wait for this call, which waits for the lock. Throws
 * `validation_failed` for a token that is unusable by now.
 */
export async function consumeToken(
  { storage, now }: Pick<ReadContext, "storage" | "now">,
  purpose: TokenPurpose,
  { token, userId }: { token: string; userId: number },
): Promise<User> {
  const user = await storage.users.lock(userId);
  const holder = await storage.emailTokens.consume(purpose, digest(token), now);
  if (user === undefined || holder !== userId) throw unusableToken();
  return user;
}
