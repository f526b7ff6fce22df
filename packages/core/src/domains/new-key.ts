import type { DkimKeyState, StoredDkimKey } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { createSelector, privateKeyContext } from "./rules/dkim-names.ts";

/** A key pair of a domain as it is kept: the private part sealed. */
export function newKey(
  runtime: Pick<Runtime, "secrets">,
  pair: { privateKey: string; publicKey: string },
  { domainId, state, now }: { domainId: string; state: Exclude<DkimKeyState, "retired">; now: number },
): StoredDkimKey {
  const selector = createSelector(now);
  return {
    selector,
    algorithm: "rsa-2048",
    privateKey: runtime.secrets.seal(pair.privateKey, privateKeyContext(domainId, selector)),
    publicKey: pair.publicKey,
    state,
    createdAt: now,
    activatedAt: state === "active" ? now : undefined,
    retiredAt: undefined,
  };
}
