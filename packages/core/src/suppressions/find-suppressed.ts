import type { Lookups } from "../mail/submission/lookups.ts";
import { everyScope, type Suppression } from "../ports/storage.ts";
import { keysOf } from "./rules/suppression-key.ts";

/** What decides whether an entry stops a mail. */
export interface SuppressionQuestion {
  workspaceId: number;
  /** The list that the mail belongs to; mail of no list is stopped by what holds for everything alone. */
  list: string | undefined;
  /** ms since the epoch. */
  now: number;
}

/** Those of the addresses that nothing may go to, each with what says so. Rejects where the storage can't say: then nothing is sent. */
export async function findSuppressed(
  { findSuppressions }: Pick<Lookups, "findSuppressions">,
  question: SuppressionQuestion,
  addresses: readonly string[],
): Promise<Map<string, Suppression>> {
  const { workspaceId, list, now } = question;
  const entries = await findSuppressions({ workspaceId, addressKeys: addresses.flatMap(keysOf) });
  const found = new Map<string, Suppression>();
  if (entries.length === 0) return found;
  const standing = entries.filter(
    ({ scope, expiresAt }) =>
      (scope === everyScope || scope === list) && (expiresAt === undefined || expiresAt > now),
  );
  for (const address of addresses) {
    const keys = keysOf(address);
    const entry = standing.find(({ addressKey }) => keys.includes(addressKey));
    if (entry !== undefined) found.set(address, entry);
  }
  return found;
}
