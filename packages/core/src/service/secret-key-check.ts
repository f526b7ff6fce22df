import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../ports/logger.ts";
import type { Storage } from "../ports/storage.ts";
import { keepErasureKey } from "../suppressions/erasure-key.ts";
import type { SecretBox } from "./runtime.ts";

/** The service's secret key is not the one that its database was begun with: the secrets that are kept there can't be read with it. */
export class SecretKeyMismatch extends Error {
  override name = "SecretKeyMismatch";
  /** The error, with the remedy in its message. */
  constructor() {
    super(
      "the secret key is not the one that this database was begun with: two-factor, webhook and mail secrets in it can't be read. Put the former key back",
    );
  }
}

/** Ms before the storage is asked again if it did not answer. */
const retryMs = 1_000;

/** Whether a service holds the secret key of its database. */
export interface SecretKeyCheck {
  /** Compares the key with the database's, which keeps that of its first service. Throws `SecretKeyMismatch`. */
  assert(): Promise<void>;
  /** Takes the service's key for the database's from now on, because the former one is lost. */
  replace(): Promise<void>;
  /** Calls back once the key is known to be right: at once, or after a storage that does not answer yet does so. */
  whenRight(begin: () => void): { cancel(): void };
}

/** Checks by a fingerprint, a derivation (HKDF) of the key that tells nothing of it. */
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
    isRight = (await storage.operations.keepFact("secret_key", fingerprint)) === fingerprint;
    if (!isRight) throw new SecretKeyMismatch();
    await keepErasureKey(storage);
  };
  const tryUntilRight = async (signal: AbortSignal): Promise<boolean> => {
    while (!signal.aborted) {
      try {
        await assert();
        return !signal.aborted;
      } catch (error) {
        logger.error({ err: error }, "nothing is delivered yet: the secret key could not be checked");
        if (error instanceof SecretKeyMismatch) return false;
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
