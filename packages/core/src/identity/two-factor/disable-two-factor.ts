import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";
import { guardOf, reserveAttempt } from "../guard-attempts.ts";
import { verifyTotp } from "../rules/totp.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { userOrThrow } from "../users/user-or-throw.ts";
import { announceChange } from "./announce-change.ts";
import { openTotpSecret } from "./totp-secret.ts";
import { twoFactorCode } from "./two-factor-code.ts";

/** Two-factor login after it was disabled. */
export interface DisabledTwoFactor {
  /** Always `false`. */
  enabled: false;
}

/** Disables two-factor login, given a valid code that was not used before (service.md, Two-factor authentication). */
export const disableTwoFactor = useCase({
  access: "user",
  refusals: ["invalid_two_factor_code", "rate_limited", "two_factor_not_set_up"],
  input: z.strictObject({ code: twoFactorCode }),
  async prepare(context) {
    const { storage, caller } = context;
    // A refusal without a look at the code is no guess.
    secretOrThrow(await userOrThrow(storage.users.find(caller.userId), caller.userId));
    await reserveAttempt(context, guardOf.codes(caller.userId));
  },
  async run(context, { code }): Promise<DisabledTwoFactor> {
    const { storage, caller, now, runtime, emit } = context;
    const user = await lockCaller(storage, caller);
    const secret = openTotpSecret(runtime, user.id, secretOrThrow(user));
    if (secret === undefined)
      throw new ServiceError("invalid_two_factor_code", {
        message: "No code can be checked any more: an administrator must reset your two-factor login.",
      });
    const step = await verifyTotp(secret, code, now);
    if (step === undefined || !(await storage.users.consumeTotpStep(user.id, step)))
      throw new ServiceError("invalid_two_factor_code");
    await storage.users.disableTotp(user.id);
    await storage.guards.clear(guardOf.codes(user.id).key);
    await announceChange(context, user, { state: "disabled", exceptSessionId: caller.sessionId });
    emit("user.2fa_disabled", { metadata: { by_administrator: false } });
    return { enabled: false };
  },
});

function secretOrThrow({ twoFactorEnabledAt, totpSecret }: User) {
  if (twoFactorEnabledAt === undefined || totpSecret === undefined)
    throw new ServiceError("two_factor_not_set_up");
  return totpSecret;
}
