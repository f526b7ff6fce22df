import type { Repositories, Suppression } from "../ports/storage.ts";
import { hashedKey } from "./rules/hashed-key.ts";

type Storage = Pick<Repositories, "suppressions" | "operations">;

interface Named {
  workspaceId: number;
  scope: string;
  addressKey: string;
  now: number;
}

/** Finds the suppression of an address, or, if the address was erased, the one under its hash (platform.md P8). */
export const findEither = (storage: Storage, named: Named): Promise<Suppression | undefined> =>
  either(storage, named, storage.suppressions.find);

/** Deletes the one that `findEither` finds, and returns it. */
export const deleteEither = (storage: Storage, named: Named): Promise<Suppression | undefined> =>
  either(storage, named, storage.suppressions.delete);

async function either(
  { operations }: Storage,
  { workspaceId, scope, addressKey, now }: Named,
  take: Repositories["suppressions"]["find"],
): Promise<Suppression | undefined> {
  const plain = await take(workspaceId, { scope, addressKey }, now);
  if (plain !== undefined || addressKey.startsWith("@")) return plain;
  // The key is read in the caller's transaction: a read shared with other callers could wait for that transaction.
  const key = await operations.findFact("erasure_key");
  if (key === undefined) return undefined;
  return await take(workspaceId, { scope, addressKey: hashedKey(key, workspaceId, addressKey) }, now);
}
