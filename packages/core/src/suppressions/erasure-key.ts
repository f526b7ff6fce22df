import { randomBytes } from "node:crypto";
import type { Repositories } from "../ports/storage.ts";
import { erasureKeyOf } from "./rules/hashed-key.ts";

/** The key by which erased addresses stay suppressed. A service makes it once a database, when it first checks its secret key. */
export const keepErasureKey = ({ operations }: Pick<Repositories, "operations">): Promise<string> =>
  operations.keepFact("erasure_key", randomBytes(32).toString("hex"));

/** Workspaces whose keys are at hand at the most. */
const mostKeys = 1_000;

/** Finds a workspace's, and reads the installation's once for all. Where there is none yet, nobody was ever erased. */
export function createErasureKey({
  operations,
}: Pick<Repositories, "operations">): (workspaceId: number) => Promise<Buffer | undefined> {
  let installation: string | undefined;
  const known = new Map<number, Buffer>();
  return async (workspaceId) => {
    const kept = known.get(workspaceId);
    if (kept !== undefined) return kept;
    installation ??= await operations.findFact("erasure_key");
    if (installation === undefined) return undefined;
    const key = erasureKeyOf(installation, workspaceId);
    if (known.size >= mostKeys) known.clear();
    known.set(workspaceId, key);
    return key;
  };
}
