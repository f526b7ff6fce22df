import { checkOptions, flagCheck } from "../ports/check-options.ts";
import { incompleteCopyFact, type Storage } from "../ports/storage.ts";
import { type Resealing, resealSecrets, type SealedOtherwise } from "./reseal-secrets.ts";
import type { SecretBox } from "./runtime.ts";
import { IncompleteCopy, SecretKeyMismatch } from "./secret-key-check.ts";

/** Options of a replacement of the secret key. */
export interface ReplaceSecretKeyOptions {
  /** Only counts what would be sealed anew, and what no known key opens. Default false. */
  dryRun?: boolean | undefined;
  /** Goes on though there are secrets that no known key opens: they stay unreadable. Default false. */
  giveUpUnreadable?: boolean | undefined;
}

interface Replacing extends Resealing {
  storage: Pick<Storage, "operations" | "transaction">;
  secrets: Pick<SecretBox, "fingerprint" | "seal" | "sealPrefix">;
}

/**
 * Seals under the service's key what a former one opens, then records it as the database's. Interrupted, it can be
 * repeated, and no service starts until then. Throws `SecretKeyMismatch` if there are secrets that no known key opens.
 */
export async function replaceSecretKey(
  parts: Replacing,
  options: ReplaceSecretKeyOptions,
): Promise<SealedOtherwise> {
  checkOptions("replaceSecretKey", options, { dryRun: flagCheck, giveUpUnreadable: flagCheck });
  const { dryRun = false, giveUpUnreadable = false } = options;
  const { storage, secrets } = parts;
  if ((await storage.operations.findFact(incompleteCopyFact)) !== undefined) throw new IncompleteCopy();
  if (dryRun) return await resealSecrets(parts, { dryRun });
  if (!giveUpUnreadable) {
    const { unreadable } = await resealSecrets(parts, { dryRun: true });
    if (Object.values(unreadable).some((count) => count > 0))
      throw new SecretKeyMismatch("unreadable_secrets");
  }
  // With some sealed under one key and some under the other, no process may deliver: e-mails it can't read would fail.
  await storage.operations.replaceFact("secret_key_replacement", secrets.fingerprint);
  const replaced = await resealSecrets(parts, { dryRun: false });
  await storage.transaction(async ({ operations }) => {
    await operations.replaceFact("secret_key", secrets.fingerprint);
    await operations.forgetFact("secret_key_replacement");
  });
  return replaced;
}
