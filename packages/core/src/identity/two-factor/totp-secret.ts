import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";
import { SecretUnreadable } from "../../rules/secret-box.ts";
import type { Runtime } from "../../service/runtime.ts";
import { totpUrl } from "../rules/totp.ts";

/** How long a set-up waits for its first code, in ms (decisions §2). */
export const setupLifetime = 10 * 60_000;

/** The context of a user's secret, and of the pending one, so that enabling need not seal it again. */
export const totpContext = (userId: number): string => `users:totp_secret:${userId}`;

/** Encrypts a secret for storage. */
export const sealTotpSecret = (runtime: Pick<Runtime, "secrets">, userId: number, secret: string): string =>
  runtime.secrets.seal(secret, totpContext(userId));

/** Decrypts a stored secret. Returns `undefined` if it can't be read, because the secret key was replaced. */
export function openTotpSecret(
  { secrets, logger }: Pick<Runtime, "secrets" | "logger">,
  userId: number,
  sealed: string,
): string | undefined {
  try {
    return secrets.open(sealed, totpContext(userId));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    logger.error(
      { err: error, userId },
      "a two-factor secret can't be read: reset the user's two-factor login",
    );
    return undefined;
  }
}

/**
 * Returns the sealed secret that waits for its first code. Throws `two_factor_already_enabled`, or `two_factor_not_set_up`
 * if there is none or it has expired.
 */
export function pendingSecretOf(user: User, now: number): string {
  if (user.twoFactorEnabledAt !== undefined) throw new ServiceError("two_factor_already_enabled");
  const { pendingTotpSecret: secret, pendingTotpExpiresAt: expiresAt } = user;
  if (secret === undefined || expiresAt === undefined || now >= expiresAt)
    throw new ServiceError("two_factor_not_set_up");
  return secret;
}

/** Returns the `otpauth://` URL for an authenticator app. */
export const authenticatorUrl = (user: Pick<User, "email">, secret: string): string =>
  totpUrl({ secret, account: user.email, issuer: "Posthorn" });
