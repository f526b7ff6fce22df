import type { ReadContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { recoveryCodeDigest } from "../rules/recovery-codes.ts";
import { verifyTotp } from "../rules/totp.ts";
import { openTotpSecret } from "../two-factor/totp-secret.ts";

/** Consumes a two-factor code at login: an authenticator's or a recovery code, each valid once (decisions §2). */
export async function consumeCode(
  { storage, runtime, now }: Pick<ReadContext, "storage" | "runtime" | "now">,
  user: User,
  code: string,
): Promise<boolean> {
  if (user.totpSecret === undefined) return false;
  const secret = openTotpSecret(runtime, user.id, user.totpSecret);
  const step = secret === undefined ? undefined : await verifyTotp(secret, code, now);
  return step === undefined
    ? await storage.users.consumeRecoveryCode(user.id, recoveryCodeDigest(code))
    : await storage.users.consumeTotpStep(user.id, step);
}
