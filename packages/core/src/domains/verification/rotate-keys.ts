import type { DkimAlgorithm, Domain, RecordFinding, StoredDkimKey } from "../../ports/storage/domains.ts";
import type { Repositories } from "../../ports/storage.ts";
import { orNotFound } from "../domain-view.ts";
import { dkimName } from "../rules/dkim-names.ts";

/** Ms after which a retired key is forgotten. */
const retiredForMs = 90 * 86_400_000;

/** A key that signs, and the one that is to take over. */
export interface KeyChange {
  from: StoredDkimKey;
  to: StoredDkimKey;
}

/** The key that signs. */
export const activeOf = (
  { keys }: Pick<Domain, "keys">,
  algorithm: DkimAlgorithm = "rsa-2048",
): StoredDkimKey | undefined => keys.find((key) => key.state === "active" && key.algorithm === algorithm);

/** What was found of a key's record. */
export const findingOf = (domain: Domain, selector: string): RecordFinding | undefined =>
  domain.findings.records.find(({ name }) => name === dkimName(selector, domain.name));

/** The keys of each algorithm that a domain has. RSA's come first. */
export function changesOfKeys({ keys }: Pick<Domain, "keys">): KeyChange[] {
  const find = (state: StoredDkimKey["state"], algorithm: DkimAlgorithm) =>
    keys.find((key) => key.state === state && key.algorithm === algorithm);
  return (["rsa-2048", "ed25519"] as const).flatMap((algorithm) => {
    const [from, to] = [find("active", algorithm), find("standby", algorithm)];
    return from === undefined || to === undefined ? [] : { from, to };
  });
}

/** Whether a key takes part in a rotation whatever its successor's record: RSA's always, another's where its own is published, and so signs. */
export const isInUse = ({ from }: KeyChange): boolean => from.algorithm === "rsa-2048" || from.isPublished;

/** Lets standby keys sign from here on, in a transaction that locked the domain. `next` are the new standbys, each of its algorithm. */
export async function rotateKeys(
  storage: Pick<Repositories, "domains">,
  domain: Domain,
  next: readonly StoredDkimKey[],
  now: number,
): Promise<Domain> {
  await storage.domains.rotate(domain, next, now);
  // Its record was there a moment ago: it signs at once.
  const algorithms = next.map(({ algorithm }) => algorithm);
  const fresh = domain.keys.filter(
    ({ state, algorithm }) => state === "standby" && algorithms.includes(algorithm),
  );
  await storage.domains.notePublished(
    domain,
    fresh.map(({ selector }) => ({ selector, isPublished: true })),
  );
  await storage.domains.deleteRetired(domain, now - retiredForMs);
  const changes = { rotationToldAt: undefined, updatedAt: now };
  return orNotFound(await storage.domains.update(domain.workspaceId, domain.id, changes));
}
