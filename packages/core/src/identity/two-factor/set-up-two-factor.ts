import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { createTotpSecret } from "../rules/totp.ts";
import { passwordHashOf, userOrThrow } from "../users/user-or-throw.ts";
import { authenticatorUrl, sealTotpSecret, setupLifetime } from "./totp-secret.ts";

/** A new two-factor secret, to be shown once, that a first code must confirm. */
export interface TwoFactorSetup {
  /** The secret in base32 (RFC 4648), to type into an authenticator. */
  secret: string;
  /** The secret as an `otpauth://totp/…` URL, to draw as a QR code. */
  url: string;
}

/**
 * Creates a secret that a first code must confirm within ten minutes, and replaces a pending one (decisions §2). The
 * address must be verified.
 */
export const setUpTwoFactor = useCase({
  access: "user",
  refusals: ["email_not_verified", "password_not_set", "two_factor_already_enabled"],
  input: z.strictObject({}),
  async run({ storage, caller, now, runtime }): Promise<TwoFactorSetup> {
    const user = await userOrThrow(storage.users.lock(caller.userId), caller.userId);
    // A person who opened an account with somebody else's address must not lock them out of it.
    if (user.emailVerifiedAt === undefined) throw new ServiceError("email_not_verified");
    // The host authenticates users without a password, so the second factor is its affair too: throws
    // `password_not_set`.
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
