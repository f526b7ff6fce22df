import { restoredCopyFact, type Storage } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";

/** A database that is a copy, and that nobody has delivered from yet. */
export interface RestoredCopy {
  /** When it was made, or found to be one; ms since the epoch. */
  copiedAt: number;
}

/** Whether the database is a copy that nobody has delivered from yet. */
export async function findRestoredCopy({
  operations,
}: Pick<Storage, "operations">): Promise<RestoredCopy | undefined> {
  const fact = await operations.findFact(restoredCopyFact);
  if (fact === undefined) return undefined;
  const copiedAt = Date.parse(fact);
  return { copiedAt: Number.isNaN(copiedAt) ? 0 : copiedAt };
}

/**
 * Warns in the log where the database is such a copy: what was due when the copy was made may have been sent since. All delivery is held
 * until `queue.resume` (platform.md P4).
 */
export async function tellRestoredCopy({
  storage,
  logger,
}: Pick<Runtime, "storage" | "logger">): Promise<void> {
  const copy = await findRestoredCopy(storage);
  if (copy === undefined) return;
  const copiedAt = new Date(copy.copiedAt).toISOString();
  const { due, waiting, leased } = await storage.emailQueue.status(await storage.now());
  logger.warn(
    { copiedAt, due: due + leased, waiting },
    `this database is a copy, and what waits in it may have been sent since: ${due + leased} e-mails are due, and none is delivered before "posthorn queue resume", or "queue resume --drop-due-before TIME"`,
  );
}
