import type { Lookups } from "../mail/acceptance/lookups.ts";
import { everyScope, type Suppression } from "../ports/storage.ts";
import { hashedUnder } from "./rules/hashed-key.ts";
import { keysOf } from "./rules/suppression-key.ts";

/** The conditions under which a suppression stops a mail. */
export interface SuppressionQuery {
  workspaceId: number;
  /** The list that the mail belongs to. If `undefined`, only suppressions of scope `*` apply. */
  list: string | undefined;
  /** Time in ms since the epoch. */
  now: number;
}

/**
 * Returns the suppressed addresses among `addresses`, each with its suppression; of several with always the same, the
 * one that names it most closely. Rejects if the storage fails: then nothing is sent.
 */
export async function findSuppressed(
  { findSuppressions, erasureKey }: Pick<Lookups, "findSuppressions" | "erasureKey">,
  question: SuppressionQuery,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Suppression>> {
  const { workspaceId, list, now } = question;
  const names = await allKeysOf({ erasureKey }, workspaceId, addresses);
  const addressKeys: string[] = [];
  for (const keys of names) addressKeys.push(...keys);
  const entries = await findSuppressions({ workspaceId, addressKeys });
  if (entries.length === 0) return nobody;
  const found = new Map<string, Suppression>();
  const standing = entries.filter(
    ({ scope, expiresAt }) =>
      (scope === everyScope || scope === list) && (expiresAt === undefined || expiresAt > now),
  );
  // What stops all mail comes first: the storage answers in no order.
  standing.sort((a, b) => Number(b.scope === everyScope) - Number(a.scope === everyScope));
  for (const [index, address] of addresses.entries()) {
    const entry = nearestOf(standing, names[index] ?? []);
    if (entry !== undefined) found.set(address, entry);
  }
  return found;
}

/** Returns the entry that names an address most closely: its own before its domain's. */
function nearestOf(entries: readonly Suppression[], names: readonly string[]): Suppression | undefined {
  for (const name of names) {
    const entry = entries.find(({ addressKey }) => addressKey === name);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/**
 * Returns the keys under which each of the addresses may be suppressed: its own, its domain's, and its hash if anybody
 * was erased (platform.md P8).
 */
export async function allKeysOf(
  { erasureKey }: Pick<Lookups, "erasureKey">,
  workspaceId: number,
  addresses: readonly string[],
): Promise<string[][]> {
  const kept = erasureKey(workspaceId);
  const key = kept instanceof Promise ? await kept : kept;
  return addresses.map((address) => {
    const keys = keysOf(address);
    return key === undefined ? keys : [...keys, hashedUnder(key, keys[0] ?? "")];
  });
}

const nobody: ReadonlyMap<string, Suppression> = new Map();
