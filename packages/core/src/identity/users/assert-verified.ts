import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";

/**
 * Throws `email_not_verified` for a user who has not proven the address: somebody else may have opened the account, and
 * would get what is given to it.
 */
export function assertVerified({ email, emailVerifiedAt }: Pick<User, "email" | "emailVerifiedAt">): void {
  if (emailVerifiedAt !== undefined) return;
  throw new ServiceError("email_not_verified", {
    message: `${email} is not verified, so anybody may have opened the account: its owner verifies it by resetting the password.`,
  });
}
