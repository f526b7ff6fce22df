import type { Lookups } from "../mail/submission/lookups.ts";
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
 * Returns the suppressed addresses among `addresses`, each with its suppression. Rejects if the storage fails: then
 * nothing is sent.
 */
export async function findSuppressed(
  { findSuppressions, erasureKey }: Pick<Lookups, "findSuppressions" | "erasureKey">,
  question: SuppressionQuery,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Suppression>> {
  const { workspaceId, list, now } = question;
  const kept = erasureKey(workspaceId);
  const key = kept instanceof Promise ? await kept : kept;
  const names = addresses.map((address) => {
    const keys = keysOf(address);
    // An erased address is suppressed under its hash (platform.md P8).
    if (key !== undefined) keys.push(hashedUnder(key, keys[0] ?? ""));
    return keys;
  });
  const entries = await findSuppressions({ workspaceId, addressKeys: names.flat() });
  if (entries.length === 0) return nobody;
  const found = new Map<string, Suppression>();
  const standing = entries.filter(
    ({ scope, expiresAt }) =>
      (scope === everyScope || scope === list) && (expiresAt === undefined || expiresAt > now),
  );
  for (const [index, address] of addresses.entries()) {
    const entry = standing.find(({ addressKey }) => names[index]?.includes(addressKey));
    if (entry !== undefined) found.set(address, entry);
  }
  return found;
}

const nobody: ReadonlyMap<string, Suppression> = new Map();
