import { type RecipientPlace, type Repositories, StorageUnavailable } from "../../ports/storage.ts";
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

/** What a round came to. */
export interface Round {
  /** Number of removed rows. */
  removed: number;
  /** The first error of a step, if one failed. */
  failure: { error: unknown } | undefined;
}

/** A step of a round; resolves to the number of rows that it removed. */
type Step = () => Promise<number>;

/** Number of failed steps after which a round ends: where whole tables are locked, each waits for seconds. */
const maxFailures = 50;

/**
 * Removes expired data: e-mails and their content by the workspaces' retention periods, other rows by their own, then
 * rows that nothing refers to any more (platform.md P12). Works in short pieces, each a transaction, so that no lock is
 * held for long. A step that fails, as others keep one of its rows locked or one is damaged, stops no other.
 */
export async function removeOld(retaining: Retaining, stopped: () => boolean = () => false): Promise<Round> {
  const round: Round = { removed: 0, failure: undefined };
  let failures = 0;
  const fail = (error: unknown): void => {
    round.failure ??= { error };
    failures += error instanceof StorageUnavailable && !error.isLocked ? maxFailures : 1;
  };
  try {
    for await (const step of stepsOf(retaining, stopped)) {
      if (stopped() || failures >= maxFailures) break;
      round.removed += await step().catch((error: unknown) => {
        fail(error);
        return 0;
      });
    }
  } catch (error) {
    // The next workspaces could not be read.
    fail(error);
  }
  return round;
}

async function* stepsOf(
  { storage, queueClock, config }: Retaining,
  stopped: () => boolean,
): AsyncGenerator<Step> {
  const now = queueClock.now();
  for (const { keptMs, remove } of timedSteps) {
    const kept = keptMs(config);
    if (kept === undefined) continue;
    yield () => inPieces((limit, after) => remove(storage, now - kept, limit, after), stopped);
  }
  yield async () => {
    await inPieces((limit) => storage.operations.foldCounters(limit), stopped);
    // What they count is still there.
    return 0;
  };
  const own = now - ownDays * day;
  yield () => inPieces((limit, after) => storage.emails.deleteBefore(undefined, own, limit, after), stopped);
  for await (const page of workspaceEnds(storage, now))
    for (const ends of page) yield* stepsFor(storage, ends, stopped);
  yield () => inPieces((limit) => storage.contents.deleteUnused(limit), stopped);
  yield () => inPieces((limit) => storage.attachments.deleteUnused(now, limit), stopped, fewFiles);
}

/** Does the same as `removeOld`, and returns the freed space to the disk. Throws the round's first error at the end. */
export async function removeAndReclaim(
  runtime: Retaining & Pick<Runtime, "storage">,
  stopped: () => boolean = () => false,
): Promise<number> {
  const { removed, failure } = await removeOld(runtime, stopped);
  if (removed > 0) await runtime.storage.reclaim({ stopped });
  if (failure !== undefined) throw failure.error;
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
function* stepsFor(
  { emails, campaigns }: Retaining["storage"],
  { workspaceId, log, content }: WorkspaceEnds,
  stopped: () => boolean,
): Generator<Step> {
  if (log !== undefined) {
    const old = { workspaceId, before: log };
    yield () => inPieces((limit, after) => emails.deleteBefore(workspaceId, log, limit, after), stopped);
    yield () =>
      inPieces<RecipientPlace>((limit, from) => campaigns.deleteRecipients({ ...old, limit }, from), stopped);
  }
  if (content !== undefined)
    yield () =>
      inPieces((limit, after) => emails.forgetContents(workspaceId, content, limit, after), stopped);
  const before = Math.max(content ?? 0, log ?? 0);
  yield () => untilNone((limit) => campaigns.forgetContents({ workspaceId, before, limit }), stopped);
}

/** Does the same as `inPieces` for removals that may return less than the limit although more is left. */
function untilNone(remove: (limit: number) => Promise<number>, stopped: () => boolean): Promise<number> {
  return inPieces(async (limit) => {
    const removed = await remove(limit);
    return { removed, next: removed > 0 ? 0 : undefined };
  }, stopped);
}
