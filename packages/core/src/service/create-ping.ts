import { type Storage, StorageUnavailable } from "../ports/storage.ts";

/**
 * Creates a check that the storage answers and has the schema of this version, without which every call fails. As a schema
 * never goes back, it is looked at until it is there.
 */
export function createPing(storage: Storage): () => Promise<void> {
  let hasSchema = false;
  return async () => {
    await storage.ping();
    if (hasSchema) return;
    const pending = (await storage.migrations()).filter(({ appliedAt }) => appliedAt === undefined);
    if (pending.length > 0)
      throw new StorageUnavailable(`the database lacks migration ${pending[0]?.name}: call migrate()`);
    hasSchema = true;
  };
}
