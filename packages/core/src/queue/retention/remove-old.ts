import type { Repositories } from "../../ports/storage.ts";
import type { Config } from "../../service/options.ts";
import type { Runtime } from "../../service/runtime.ts";
import type { QueueClock } from "../queue-clock.ts";
import { inPieces, type PieceSizes } from "./in-pieces.ts";
import { moveRetentionTime } from "./retention-time.ts";
import { timedSteps } from "./timed-steps.ts";
import { type WorkspaceEnds, workspaceEnds } from "./workspace-clocks.ts";

const day = 86_400_000;
/** Retention period of the service's own mails in days. */
export const ownDays = 30;
/** Number of rows of files in one piece: few, as each may have megabytes. */
const fewFiles: PieceSizes = { first: 10, least: 10, most: 10 };

/** The parts of the runtime that retention needs. */
export interface Retaining {
  storage: Repositories;
  config: Config;
  queueClock: Pick<QueueClock, "now">;
}

/**
 * Removes expired data: e-mails and their content by the workspaces' retention periods, other rows by their own, then
 * rows that nothing refers to any more (platform.md P12). Works in short pieces, each a transaction, so that no lock is
 * held for long. Returns the number of rows.
 */
export async function removeOld(
  { storage, queueClock, config }: Retaining,
  stopped: () => boolean = () => false,
): Promise<number> {
  const now = queueClock.now();
  let removed = 0;
  const count = async (work: Promise<number>): Promise<void> => {
    removed += await work;
  };
  for (const { keptMs, remove } of timedSteps) {
    const kept = keptMs(config);
    if (kept === undefined) continue;
    await count(inPieces((limit, after) => remove(storage, now - kept, limit, after), stopped));
  }
  const own = now - ownDays * day;
  await count(inPieces((limit, after) => storage.emails.deleteBefore(undefined, own, limit, after), stopped));
  for await (const ends of workspaceEnds(storage, now)) {
    if (stopped()) break;
    await count(removeOf(storage, ends, stopped));
  }
  await count(inPieces((limit) => storage.contents.deleteUnused(limit), stopped));
  await count(inPieces((limit) => storage.attachments.deleteUnused(now, limit), stopped, fewFiles));
  return removed;
}

/** Does the same as `removeOld`, and returns the freed space to the disk. */
export async function removeAndReclaim(
  runtime: Retaining & Pick<Runtime, "storage">,
  stopped: () => boolean = () => false,
): Promise<number> {
  const removed = await removeOld(runtime, stopped);
  if (removed > 0) await runtime.storage.reclaim({ stopped });
  return removed;
}

/** Does so every hour, by a time that does not step with the database's clock. */
export async function removeHourly(
  runtime: Retaining & Pick<Runtime, "storage" | "logger">,
  stopped: () => boolean,
): Promise<number> {
  const time = await moveRetentionTime(runtime);
  return removeAndReclaim({ ...runtime, queueClock: { now: () => time } }, stopped);
}

/** Lines of the log are removed first, so that no content is removed separately that goes with its line anyway. */
async function removeOf(
  { emails, campaigns }: Retaining["storage"],
  { workspaceId, log, content }: WorkspaceEnds,
  stopped: () => boolean,
): Promise<number> {
  let removed = 0;
  if (log !== undefined) {
    const old = { workspaceId, before: log };
    removed += await inPieces((limit, after) => emails.deleteBefore(workspaceId, log, limit, after), stopped);
    // Repeated until nothing is left, as the last piece of a campaign is short.
    const lists = (limit: number) => campaigns.deleteRecipients({ ...old, limit });
    removed += await untilNone(lists, stopped);
  }
  if (content !== undefined)
    removed += await inPieces(
      (limit, after) => emails.forgetContents(workspaceId, content, limit, after),
      stopped,
    );
  const before = Math.max(content ?? 0, log ?? 0);
  return (
    removed + (await untilNone((limit) => campaigns.forgetContents({ workspaceId, before, limit }), stopped))
  );
}

/** Does the same as `inPieces` for removals that may return less than the limit although more is left. */
function untilNone(remove: (limit: number) => Promise<number>, stopped: () => boolean): Promise<number> {
  return inPieces(async (limit) => {
    const removed = await remove(limit);
    return { removed, next: removed > 0 ? 0 : undefined };
  }, stopped);
}
