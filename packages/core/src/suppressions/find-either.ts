import type { Repositories, Suppression } from "../ports/storage.ts";
import { hashedKey } from "./rules/hashed-key.ts";

/** Finds the suppression of an address, or, if the address was erased, the one under its hash (platform.md P8). */
export async function findEither(
  { suppressions, operations }: Pick<Repositories, "suppressions" | "operations">,
  {
    workspaceId,
    scope,
    addressKey,
    now,
  }: { workspaceId: number; scope: string; addressKey: string; now: number },
): Promise<Suppression | undefined> {
  const plain = await suppressions.find(workspaceId, { scope, addressKey }, now);
  if (plain !== undefined || addressKey.startsWith("@")) return plain;
  // The key is read in the caller's transaction: a read shared with other callers could wait for that transaction.
  const key = await operations.findFact("erasure_key");
  if (key === undefined) return undefined;
  return await suppressions.find(
    workspaceId,
    { scope, addressKey: hashedKey(key, workspaceId, addressKey) },
    now,
  );
}
