import type { Logger } from "../../ports/logger.ts";
import type { Operations, Repositories } from "../../ports/storage.ts";
import type { QueueClock } from "../queue-clock.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** How much faster than the clock retention follows it, at most. */
const speed = 4;

/** The time that retention goes by, ms since the epoch, and what the database's clock showed when it was last moved. */
interface RetentionTime {
  time: number;
  seenAt: number;
}

const factName = "retention_time";

async function findTime({ findFact }: Pick<Operations, "findFact">): Promise<RetentionTime | undefined> {
  const fact = await findFact(factName);
  if (fact === undefined) return undefined;
  const [time = Number.NaN, seenAt = Number.NaN] = fact.split(" ").map(Number);
  return Number.isFinite(time) && Number.isFinite(seenAt) ? { time, seenAt } : undefined;
}

/** Lets retention go by the database's clock at once, because somebody asked for it. */
export async function setRetentionTime({ replaceFact }: Operations, now: number): Promise<void> {
  await replaceFact(factName, `${now} ${now}`);
}

/**
 * Moves the time that the hourly retention goes by towards the database's clock, and returns it. It follows the clock
 * four times as fast at most, and a step of the clock counts as an hour, as does the time in which no process ran:
 * removed rows do not come back when a clock that was wrong for minutes is right again. It never is ahead of the clock. It
 * warns if it falls behind, as it does for ever where rounds are more than four hours apart.
 */
export async function moveRetentionTime({
  storage: { operations },
  queueClock,
  logger,
}: {
  storage: Pick<Repositories, "operations">;
  queueClock: Pick<QueueClock, "now">;
  logger: Pick<Logger, "warn">;
}): Promise<number> {
  const now = queueClock.now();
  const last = (await findTime(operations)) ?? { time: now, seenAt: now };
  const passed = now - last.seenAt;
  const time = Math.min(now, last.time + speed * Math.min(Math.max(passed, 0), hour));
  await operations.replaceFact(factName, `${time} ${now}`);
  const behindMs = now - time;
  if (passed > speed * hour && behindMs > day)
    logger.warn(
      { behindMs },
      `expired data is removed ${Math.round(behindMs / day)} days later than it should be: was the database's clock set wrongly, or did nothing run? Removal catches up four times as fast as the clock while something runs, at once after "posthorn retention run"`,
    );
  return time;
}
