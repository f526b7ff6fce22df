import type { Domain, RecordFinding, StoredDkimKey } from "../../ports/storage/domains.ts";
import type { Repositories } from "../../ports/storage.ts";
import { orNotFound } from "../domain-view.ts";
import { dkimName } from "../rules/dkim-names.ts";

/** Ms after which a retired key is forgotten. */
const retiredForMs = 90 * 86_400_000;

/** The key that is published to take over. */
export const standbyOf = ({ keys }: Pick<Domain, "keys">): StoredDkimKey | undefined =>
  keys.find(({ state }) => state === "standby");

/** The key that signs. */
export const activeOf = ({ keys }: Pick<Domain, "keys">): StoredDkimKey | undefined =>
  keys.find(({ state }) => state === "active");

/** What was found of a key's record. */
export const findingOf = (domain: Domain, selector: string): RecordFinding | undefined =>
  domain.findings.records.find(({ name }) => name === dkimName(selector, domain.name));

/** Lets the standby key sign from here on, in a transaction that locked the domain. `next` is the new standby. */
export async function rotateKeys(
  storage: Pick<Repositories, "domains">,
  domain: Domain,
  next: StoredDkimKey,
  now: number,
): Promise<Domain> {
  await storage.domains.rotate(domain, next, now);
  await storage.domains.deleteRetired(domain, now - retiredForMs);
  const changes = { rotationToldAt: undefined, updatedAt: now };
  return orNotFound(await storage.domains.update(domain.workspaceId, domain.id, changes));
}
