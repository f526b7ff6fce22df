import { randomBytes } from "node:crypto";
import type { Repositories } from "../ports/storage.ts";
import { erasureKeyOf } from "./rules/hashed-key.ts";

/**
 * Returns the key of the hashes under which erased addresses stay suppressed. It is created once per database, when a
 * service first checks its secret key.
 */
export const storeErasureKey = ({ operations }: Pick<Repositories, "operations">): Promise<string> =>
  operations.keepFact("erasure_key", randomBytes(32).toString("hex"));

/** Maximum number of workspaces whose keys are cached. */
const maxKeys = 1_000;

/**
 * Returns a cached look-up of workspaces' erasure keys, which reads the installation's key once, also for those who ask
 * at once: the first batch of a process would read it for each recipient. A key of `undefined`
 * means that no recipient was ever erased.
 */
export function createErasureKey({
  operations,
}: Pick<Repositories, "operations">): (workspaceId: number) => Buffer | Promise<Buffer | undefined> {
  let installation: string | undefined;
  let reading: Promise<string | undefined> | undefined;
  const read = (): Promise<string | undefined> => {
    reading ??= operations.findFact("erasure_key").finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const known = new Map<number, Buffer>();
  async function find(workspaceId: number): Promise<Buffer | undefined> {
    installation ??= await read();
    if (installation === undefined) return undefined;
    const key = erasureKeyOf(installation, workspaceId);
    if (known.size >= maxKeys) known.clear();
    known.set(workspaceId, key);
    return key;
  }
  return (workspaceId) => known.get(workspaceId) ?? find(workspaceId);
}
