import { randomBytes } from "node:crypto";
import type { Repositories } from "../ports/storage.ts";

/** The key by which erased addresses stay suppressed. A service makes it once a database, when it first checks its secret key. */
export const keepErasureKey = ({ operations }: Pick<Repositories, "operations">): Promise<string> =>
  operations.keepFact("erasure_key", randomBytes(32).toString("hex"));

/** Reads it once. Where there is none yet, nobody was ever erased. */
export function createErasureKey({
  operations,
}: Pick<Repositories, "operations">): () => Promise<string | undefined> {
  let known: string | undefined;
  return async () => (known ??= await operations.findFact("erasure_key"));
}
