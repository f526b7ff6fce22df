import { restoredCopyFact, type Storage } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";

/** State of a database that is a copy from which nobody has delivered yet. */
export interface RestoredCopy {
  /** When the copy was made or detected, ms since the epoch. */
  copiedAt: number;
}

/** Returns the state if the database is a copy from which nobody has delivered yet, else `undefined`. */
export async function findRestoredCopy({
  operations,
}: Pick<Storage, "operations">): Promise<RestoredCopy | undefined> {
  const fact = await operations.findFact(restoredCopyFact);
  if (fact === undefined) return undefined;
  const copiedAt = Date.parse(fact);
  return { copiedAt: Number.isNaN(copiedAt) ? 0 : copiedAt };
}

/**
 * Logs a warning if the database is such a copy: e-mails that were due when it was made may have been sent since. All
 * delivery is paused until `queue.resume` (platform.md P4). Where nothing waits and no campaign goes on, nothing can go
 * out twice, and it only informs.
 */
export async function warnAboutRestoredCopy({
  storage,
  logger,
}: Pick<Runtime, "storage" | "logger">): Promise<void> {
  const copy = await findRestoredCopy(storage);
  if (copy === undefined) return;
  const copiedAt = new Date(copy.copiedAt).toISOString();
  const now = await storage.now();
  const { due, waiting, leased } = await storage.emailQueue.status(now);
  if (due + waiting + leased === 0 && (await storage.campaigns.listGoing(now)).length === 0) {
    logger.info(
      { copiedAt },
      'this database is a restored copy in which no e-mail waits; delivery begins with "posthorn queue resume"',
    );
    return;
  }
  logger.warn(
    { copiedAt, due: due + leased, waiting },
    `this database is a restored copy, and its waiting e-mails may have been sent since: ${due + leased} ${due + leased === 1 ? "is" : "are"} due, and none is delivered before "posthorn queue resume", or "queue resume --drop-due-before TIME"`,
  );
}
