import type { DkimAlgorithm, DkimKeyState, StoredDkimKey } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { createSelector, privateKeyContext } from "./rules/dkim-names.ts";

/** A key pair with its algorithm. */
export interface KeyPair {
  algorithm: DkimAlgorithm;
  privateKey: string;
  publicKey: string;
}

/** Creates a key pair outside the event loop. */
export const makePair = async (
  runtime: Pick<Runtime, "createKeyPair">,
  algorithm: DkimAlgorithm,
): Promise<KeyPair> => ({ algorithm, ...(await runtime.createKeyPair(algorithm)) });

/** Returns a domain's key as it is stored: its private part is encrypted. */
export function newKey(
  runtime: Pick<Runtime, "secrets">,
  pair: KeyPair,
  { domainId, state, now }: { domainId: string; state: Exclude<DkimKeyState, "retired">; now: number },
): StoredDkimKey {
  const selector = createSelector(now);
  return {
    selector,
    algorithm: pair.algorithm,
    privateKey: runtime.secrets.seal(pair.privateKey, privateKeyContext(domainId, selector)),
    publicKey: pair.publicKey,
    state,
    isPublished: false,
    createdAt: now,
    activatedAt: state === "active" ? now : undefined,
    retiredAt: undefined,
  };
}
