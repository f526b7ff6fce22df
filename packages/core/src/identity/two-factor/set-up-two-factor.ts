import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { createTotpSecret } from "../rules/totp.ts";
import { passwordHashOf, userOrThrow } from "../users/user-or-throw.ts";
import { authenticatorUrl, sealTotpSecret, setupLifetime } from "./totp-secret.ts";

/** A secret that waits for its first code, to be shown once. */
export interface TwoFactorSetup {
  /** The secret in base32 (RFC 4648), to type into an authenticator. */
  secret: string;
  /** The same as `otpauth://totp/…`, to draw as a QR code. */
  url: string;
}

/**
 * Creates a secret that waits ten minutes for its first code, in place of a former pending one (decisions §2). The address must be
 * verified.
 */
export const setUpTwoFactor = useCase({
  access: "user",
  refusals: ["email_not_verified", "password_not_set", "two_factor_already_enabled"],
  input: z.strictObject({}),
  async run({ storage, caller, now, runtime }): Promise<TwoFactorSetup> {
    const user = await userOrThrow(storage.users.lock(caller.userId), caller.userId);
    // Somebody who opened an account with another person's address must not lock that person out of it.
    if (user.emailVerifiedAt === undefined) throw new ServiceError("email_not_verified");
    // Whom the host lets in is asked for no code here: the second factor is the host's affair.
    passwordHashOf(user);
    if (user.twoFactorEnabledAt !== undefined) throw new ServiceError("two_factor_already_enabled");
    const secret = await createTotpSecret();
    await storage.users.setPendingTotp(user.id, {
      secret: sealTotpSecret(runtime, user.id, secret),
      expiresAt: now + setupLifetime,
    });
    return { secret, url: authenticatorUrl(user, secret) };
  },
});
