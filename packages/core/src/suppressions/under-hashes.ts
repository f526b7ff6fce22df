import type { Repositories, Suppression } from "../ports/storage.ts";
import { erasureKeyOf, hashedUnder } from "./rules/hashed-key.ts";

/**
 * Returns a workspace's new entries, those of erased people who are suppressed in any scope under the hash that stands
 * for them: what names an address must not bring back one that was erased (platform.md P8). Their reasons are left out.
 */
export async function underHashes(
  { suppressions, operations }: Pick<Repositories, "suppressions" | "operations">,
  workspaceId: number,
  entries: Suppression[],
  now: number,
): Promise<Suppression[]> {
  // The key is read in the caller's transaction: a read shared with other callers could wait for that transaction.
  const installation = await operations.findFact("erasure_key");
  if (installation === undefined) return entries;
  const key = erasureKeyOf(installation, workspaceId);
  const hashes = entries.map(({ addressKey }) => hashedUnder(key, addressKey));
  const found = await suppressions.findUnder(hashes.map((addressKey) => ({ workspaceId, addressKey })));
  const standIns = new Map(
    found
      .filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
      .map(({ addressKey, address }) => [addressKey, address]),
  );
  if (standIns.size === 0) return entries;
  return entries.map((entry, at) => {
    const addressKey = hashes[at] ?? "";
    const address = standIns.get(addressKey);
    return address === undefined ? entry : { ...entry, addressKey, address, reason: "" };
  });
}
