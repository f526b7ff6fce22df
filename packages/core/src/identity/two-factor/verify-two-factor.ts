import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { guardOf, reserveAttempt } from "../guard-attempts.ts";
import { createRecoveryCodes, recoveryCodeDigest } from "../rules/recovery-codes.ts";
import { verifyTotp } from "../rules/totp.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { userOrThrow } from "../users/user-or-throw.ts";
import { announceChange } from "./announce-change.ts";
import { openTotpSecret, pendingSecretOf } from "./totp-secret.ts";
import { twoFactorCode } from "./two-factor-code.ts";

/** Two-factor login after it was enabled. */
export interface EnabledTwoFactor {
  /** Always `true`. */
  enabled: true;
  /** Ten codes, shown only here. Each replaces the second factor once. */
  recoveryCodes: string[];
}

/** Enables two-factor login with a first valid code. The recovery codes are shown only once (decisions §2). */
export const verifyTwoFactor = useCase({
  access: "user",
  refusals: [
    "invalid_two_factor_code",
    "rate_limited",
    "two_factor_already_enabled",
    "two_factor_not_set_up",
  ],
  input: z.strictObject({ code: twoFactorCode }),
  async prepare(context) {
    const { storage, caller, now } = context;
    // A refusal without a look at the code is no guess: it must not use up the guesses of a login.
    pendingSecretOf(await userOrThrow(storage.users.find(caller.userId), caller.userId), now);
    await reserveAttempt(context, guardOf.codes(caller.userId));
  },
  async run(context, { code }): Promise<EnabledTwoFactor> {
    const { storage, caller, now, runtime, emit } = context;
    const user = await lockCaller(storage, caller);
    const pending = pendingSecretOf(user, now);
    const secret = openTotpSecret(runtime, user.id, pending);
    if (secret === undefined) throw new ServiceError("two_factor_not_set_up");
    const step = await verifyTotp(secret, code, now);
    if (step === undefined) throw new ServiceError("invalid_two_factor_code");
    if (!(await storage.users.enableTotp(user.id, pending, step, now)))
      throw new ServiceError("two_factor_not_set_up");
    const recoveryCodes = createRecoveryCodes();
    await storage.users.replaceRecoveryCodes(user.id, recoveryCodes.map(recoveryCodeDigest));
    await storage.guards.clear(guardOf.codes(user.id).key);
    await announceChange(context, user, { state: "enabled", exceptSessionId: caller.sessionId });
    emit("user.2fa_enabled");
    return { enabled: true, recoveryCodes };
  },
});
