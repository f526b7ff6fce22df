import type { Clock } from "../ports/clock.ts";
import { type Logger, silentLogger } from "../ports/logger.ts";
import type { Storage } from "../ports/storage.ts";

/** Ms after which the database's clock is read again, in the background. */
const freshMs = 30_000;
/** Ms by which the machine's clock may differ from the database's without a warning. */
const toleratedMs = 10_000;

/**
 * The database's clock without a query for each reading: its offset from this process's monotonic clock is stored.
 * Steps of this machine's clock, and other machines' clocks, do not change it.
 */
export interface QueueClock {
  /** Ms since the epoch; by the machine's clock until the database was first asked. */
  now(): number;
  /** Elapsed ms, unaffected by changes of any clock. */
  monotonic(): number;
  /** Reads the database's clock. Resolves to the ms by which it stepped since the last reading, 0 the first time. */
  ask(): Promise<number>;
  /** Reads the database's time, ignoring the stored offset. */
  exact(): Promise<number>;
}

/** Creates a queue's clock. It warns when this machine's own clock, which logins go by, is far from the database's. */
export function createQueueClock(
  storage: Pick<Storage, "now">,
  clock: Clock,
  logger: Pick<Logger, "warn"> = silentLogger,
): QueueClock {
  const monotonic = (): number => clock.monotonic?.() ?? performance.now();
  /** The database's time at zero of the monotonic clock. */
  let zero: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<number> | undefined;
  let isApart = false;

  function compare(asked: number, there: number, answered: number): void {
    // The database read its clock between these two moments.
    const ahead = asked > there ? asked - there : Math.min(answered - there, 0);
    const wasApart = isApart;
    isApart = Math.abs(ahead) > toleratedMs;
    if (!isApart || wasApart) return;
    const seconds = Math.round(Math.abs(ahead) / 1_000);
    logger.warn(
      { aheadMs: ahead },
      `this machine's clock is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the database's: logins and two-factor codes may be refused until it is set right`,
    );
  }

  async function measure(): Promise<number> {
    const [begun, asked] = [monotonic(), clock.now()];
    askedAt = begun;
    const there = await storage.now();
    compare(asked, there, clock.now());
    const answered = monotonic();
    // What the answer does not contradict stays: a slow one would set the clock back, behind e-mails that are due now.
    const standing = zero ?? asked - begun;
    const isPossible = standing >= there - answered - 1 && standing <= there - begun + 1;
    const found = isPossible ? standing : there - (begun + answered) / 2;
    const step = zero === undefined ? 0 : found - zero;
    zero = found;
    return step;
  }

  const ask = (): Promise<number> => {
    asking ??= measure().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    monotonic,
    ask,
    exact: () => storage.now(),
    now() {
      if (monotonic() - askedAt > freshMs) void ask().catch(() => {});
      return Math.round(zero === undefined ? clock.now() : monotonic() + zero);
    },
  };
}
