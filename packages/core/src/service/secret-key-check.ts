import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../ports/logger.ts";
import { incompleteCopyFact, type Storage } from "../ports/storage.ts";
import { storeErasureKey } from "../suppressions/erasure-key.ts";
import type { SecretBox } from "./runtime.ts";

/**
 * Error for a secret key that is not the one that the database was created with: the stored secrets can't be decrypted
 * with it.
 */
export class SecretKeyMismatch extends Error {
  override name = "SecretKeyMismatch";
  /** The message contains the remedy. */
  constructor() {
    super(
      "the secret key is not the one that this database was created with: its two-factor, webhook and mail secrets can't be decrypted. Restore the former key",
    );
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
  /** Records the service's key as the database's, because the former one is lost. */
  replace(): Promise<void>;
  /** Calls back once the key is known to be right: at once, or as soon as the storage answers. */
  whenRight(begin: () => void): { cancel(): void };
}

/** Creates a check by fingerprint, a derivation (HKDF) of the key that does not reveal it. */
export function createSecretKeyCheck(parts: {
  storage: Pick<Storage, "operations">;
  secrets: Pick<SecretBox, "fingerprint">;
  logger: Pick<Logger, "error">;
}): SecretKeyCheck {
  const { storage, secrets, logger } = parts;
  const { fingerprint } = secrets;
  let isRight = false;

  const assert = async (): Promise<void> => {
    if (isRight) return;
    if ((await storage.operations.findFact(incompleteCopyFact)) !== undefined) throw new IncompleteCopy();
    isRight = (await storage.operations.keepFact("secret_key", fingerprint)) === fingerprint;
    if (!isRight) throw new SecretKeyMismatch();
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
    async replace() {
      await storage.operations.replaceFact("secret_key", fingerprint);
      isRight = true;
    },
    whenRight(begin) {
      const waiting = new AbortController();
      if (isRight) begin();
      else void tryUntilRight(waiting.signal).then((right) => right && begin());
      return { cancel: () => waiting.abort() };
    },
  };
}
