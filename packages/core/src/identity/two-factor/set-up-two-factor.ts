import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { createTotpSecret } from "../rules/totp.ts";
import { passwordHashOf, userOrThrow } from "../users/user-or-throw.ts";
import { authenticatorUrl, sealTotpSecret, setupLifetime } from "./totp-secret.ts";

/** Makes a secret that waits ten minutes for its first code, in place of a former waiting one (decisions §2). The address must be verified. */
export const setUpTwoFactor = useCase({
  access: "user",
  refusals: ["email_not_verified", "password_not_set", "two_factor_already_enabled"],
  input: z.strictObject({}),
  async run({ storage, caller, now, runtime }): Promise<{ secret: string; url: string }> {
    const user = await userOrThrow(storage.users.lock(caller.userId), caller.userId);
    // Who opened an account for another's address must not lock that person out of it.
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
