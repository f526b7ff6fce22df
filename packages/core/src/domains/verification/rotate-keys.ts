import { orNotFound } from "../../calls/or-not-found.ts";
import type {
  DkimAlgorithm,
  Domain,
  RecordFinding,
  Repositories,
  StoredDkimKey,
} from "../../ports/storage.ts";
import { dkimName } from "../rules/dkim-names.ts";

/** Ms after which a retired key is deleted. */
const retiredForMs = 90 * 86_400_000;

/** A signing key and its successor. */
export interface KeyChange {
  from: StoredDkimKey;
  to: StoredDkimKey;
}

/** Returns the active RSA key, which each domain has. */
export const activeOf = ({ keys }: Pick<Domain, "keys">): StoredDkimKey | undefined =>
  keys.find(({ state, algorithm }) => state === "active" && algorithm === "rsa-2048");

/** Returns the selectors of keys and of their successors, for the event that tells of a rotation. */
export const selectorsOf = (changes: readonly KeyChange[]): { from: string; to: string } => ({
  from: changes.map(({ from }) => from.selector).join(" "),
  to: changes.map(({ to }) => to.selector).join(" "),
});

/** Returns what the last check found for a key's record. */
export const findingOf = (domain: Domain, selector: string): RecordFinding | undefined =>
  domain.findings.records.find(({ name }) => name === dkimName(selector, domain.name));

/** Returns the active and standby key of each algorithm, RSA first. */
export function changesOfKeys({ keys }: Pick<Domain, "keys">): KeyChange[] {
  const find = (state: StoredDkimKey["state"], algorithm: DkimAlgorithm) =>
    keys.find((key) => key.state === state && key.algorithm === algorithm);
  return (["rsa-2048", "ed25519"] as const).flatMap((algorithm) => {
    const [from, to] = [find("active", algorithm), find("standby", algorithm)];
    return from === undefined || to === undefined ? [] : { from, to };
  });
}

/**
 * Whether a key must be rotated even if its successor's record is unpublished: always for RSA, otherwise if the key's
 * own record is published, so that it signs.
 */
export const isInUse = ({ from }: KeyChange): boolean => from.algorithm === "rsa-2048" || from.isPublished;

/**
 * Makes the standby keys the signing ones. `next` are the new standby keys, at most one of each algorithm. The
 * transaction must have locked the domain.
 */
export async function rotateKeys(
  storage: Pick<Repositories, "domains">,
  domain: Domain,
  next: readonly StoredDkimKey[],
  now: number,
): Promise<Domain> {
  await storage.domains.rotate(domain, next, now);
  // The check just found these keys published, so they sign at once.
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
  return orNotFound(await storage.domains.update(domain.workspaceId, domain.id, changes), "such domain");
}
