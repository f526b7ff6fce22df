import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../ports/logger.ts";
import { incompleteCopyFact, type Storage } from "../ports/storage.ts";
import { storeErasureKey } from "../suppressions/erasure-key.ts";
import type { SecretBox } from "./runtime.ts";

/** Why a secret key is refused, in words that go on with the remedy. */
const refusals = {
  other_key:
    "the secret key is not the one that this database was created with: its two-factor, webhook and mail secrets can't be decrypted. Restore the former key",
  former_key:
    "this database still has a former secret key. Stop every process, and replace it by the new one (replaceSecretKey)",
  interrupted:
    "a replacement of this database's secret key was interrupted. Repeat it with the same keys (replaceSecretKey)",
  unreadable_secrets:
    "no known secret key opens all of this database's secrets: nothing was changed. Add the one that does to formerSecretKeys, or give them up (giveUpUnreadable)",
} as const;

/**
 * Error for a secret key that is not the one that the database was created with: the stored secrets can't be decrypted
 * with it.
 */
export class SecretKeyMismatch extends Error {
  override name = "SecretKeyMismatch";
  /**
   * `former_key`: the database's is among the former keys, and was not replaced yet. `interrupted`: its replacement was
   * not ended. `unreadable_secrets`: there would be secrets that a replacement gives up.
   */
  readonly reason: keyof typeof refusals;
  /** The message contains the remedy. */
  constructor(reason: keyof typeof refusals = "other_key") {
    super(refusals[reason]);
    this.reason = reason;
  }
}

/** Error for a database in which rows are missing, such as suppressions: a copy into it was interrupted. */
export class IncompleteCopy extends Error {
  override name = "IncompleteCopy";
  /** The message contains the remedy. */
  constructor() {
    super("a copy into this database was interrupted, and rows are missing. Run the copy again");
  }
}

/** Ms until the check is repeated if the storage did not answer. */
const retryMs = 1_000;

/** Checks whether a service has the secret key of its database, and all of its rows. */
export interface SecretKeyCheck {
  /**
   * Compares the key with that of the database, which stores the fingerprint of its first service's key. Throws
   * `SecretKeyMismatch`, and `IncompleteCopy` before it stores anything.
   */
  assert(): Promise<void>;
  /** Calls back once the key is known to be right: at once, or as soon as the storage answers. */
  whenRight(begin: () => void): { cancel(): void };
}

interface CheckParts {
  storage: Pick<Storage, "operations">;
  secrets: Pick<SecretBox, "fingerprint">;
  formerSecrets: readonly Pick<SecretBox, "fingerprint" | "open">[];
  logger: Pick<Logger, "error">;
}

/** Creates a check by fingerprint, a derivation (HKDF) of the key that does not reveal it. */
export function createSecretKeyCheck(parts: CheckParts): SecretKeyCheck {
  const { storage, secrets, formerSecrets, logger } = parts;
  const { fingerprint } = secrets;
  let isRight = false;

  const assert = async (): Promise<void> => {
    if (isRight) return;
    const { operations } = storage;
    if ((await operations.findFact(incompleteCopyFact)) !== undefined) throw new IncompleteCopy();
    if ((await operations.findFact("secret_key_replacement")) !== undefined)
      throw new SecretKeyMismatch("interrupted");
    const known = await operations.keepFact("secret_key", fingerprint);
    if (known !== fingerprint)
      throw new SecretKeyMismatch(
        formerSecrets.some((former) => former.fingerprint === known) ? "former_key" : "other_key",
      );
    isRight = true;
    await storeErasureKey(storage);
  };
  const tryUntilRight = async (signal: AbortSignal): Promise<boolean> => {
    while (!signal.aborted) {
      try {
        await assert();
        return !signal.aborted;
      } catch (error) {
        logger.error({ err: error }, "nothing is delivered yet: the secret key could not be checked");
        if (error instanceof SecretKeyMismatch || error instanceof IncompleteCopy) return false;
      }
      await sleep(retryMs, undefined, { ref: false });
    }
    return false;
  };
  return {
    assert,
    whenRight(begin) {
      const waiting = new AbortController();
      if (isRight) begin();
      else void tryUntilRight(waiting.signal).then((right) => right && begin());
      return { cancel: () => waiting.abort() };
    },
  };
}
