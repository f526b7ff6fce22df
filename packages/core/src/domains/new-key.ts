import type { DkimAlgorithm, DkimKeyState, StoredDkimKey } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { createSelector, privateKeyContext } from "./rules/dkim-names.ts";

/** A key pair, and what it signs with. */
export interface KeyPair {
  algorithm: DkimAlgorithm;
  privateKey: string;
  publicKey: string;
}

/** Makes a key pair, off the event loop. */
export const makePair = async (
  runtime: Pick<Runtime, "createKeyPair">,
  algorithm: DkimAlgorithm,
): Promise<KeyPair> => ({ algorithm, ...(await runtime.createKeyPair(algorithm)) });

/** A key pair of a domain as it is kept: the private part sealed. */
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
