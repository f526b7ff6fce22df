import type { Clock } from "../ports/clock.ts";
import { type Logger, silentLogger } from "../ports/logger.ts";
import type { Storage } from "../ports/storage.ts";

/** Ms after which the database's clock is read again, in the background. */
const freshMs = { shared: 5_000, own: 30_000 };
/** Ms after a step of the database's clock during which what is queued may still have the former time. */
export const formerTimeMs = 2 * freshMs.own;
/** Ms after which a reading is not relied on any more. */
const reliableMs = 600_000;
/** Ms by which this machine's two clocks may part before one of them has stepped, or stood still as the machine slept. */
const partedMs = 1_000;
/** Minimum ms between two readings for that reason in the background. */
const doubtMs = 1_000;
/** Ms by which the machine's clock may differ from the database's without a warning. */
const toleratedMs = 10_000;

/**
 * The database's clock without a query for each reading: its offset from this process's monotonic clock is stored.
 * Steps of this machine's clock, and other machines' clocks, do not change it.
 */
export interface QueueClock {
  /** Ms since the epoch; by the machine's clock until the database has first answered. */
  now(): number;
  /** Elapsed ms, unaffected by changes of any clock. */
  monotonic(): number;
  /** This machine's own clock, ms since the epoch. It goes on while the machine sleeps; the monotonic one may stand still. */
  machine(): number;
  /** Reads the database's clock. */
  ask(): Promise<void>;
  /**
   * Reads the clock that processes share if `now` may be far from it: before the first answer, after ten minutes without
   * one, and after this machine's clock has stepped or the machine has slept. `undefined` if there is nothing to wait
   * for. Within a host's transaction it is read on the host's connection, as no other may be free.
   */
  assure(host?: Pick<Storage, "now">): Promise<void> | undefined;
  /** Reads the database's time, ignoring the stored offset. */
  exact(): Promise<number>;
}

/** Creates a queue's clock. It warns when this machine's own clock is far from the database's: one of them is wrong. */
export function createQueueClock(
  storage: Pick<Storage, "now" | "isRemote">,
  clock: Clock,
  logger: Pick<Logger, "warn"> = silentLogger,
): QueueClock {
  const monotonic = (): number => clock.monotonic?.() ?? performance.now();
  /** The last reading: the database's time and this machine's at zero of the monotonic clock, and when it was made. */
  let known: { zero: number; machineZero: number; at: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
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
      `this machine's clock is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the database's: set right the one that is wrong, as two-factor codes and the receivers of webhooks need the true time`,
    );
  }

  async function measure(source: Pick<Storage, "now">): Promise<void> {
    const [begun, asked] = [monotonic(), clock.now()];
    askedAt = begun;
    const there = await source.now();
    const [answered, machine] = [monotonic(), clock.now()];
    compare(asked, there, machine);
    // What the answer does not contradict stays: a slow one would set the clock back, behind e-mails that are due now.
    const standing = known?.zero ?? asked - begun;
    const isPossible = standing >= there - answered - 1 && standing <= there - begun + 1;
    const zero = isPossible ? standing : there - (begun + answered) / 2;
    known = { zero, machineZero: machine - answered, at: answered };
  }

  const ask = (): Promise<void> => {
    asking ??= measure(storage).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const hasParted = (passed: number): boolean =>
    known !== undefined && Math.abs(clock.now() - passed - known.machineZero) > partedMs;
  const freshFor = (passed: number): number => {
    if (hasParted(passed)) return doubtMs;
    return storage.isRemote ? freshMs.shared : freshMs.own;
  };

  return {
    monotonic,
    machine: () => clock.now(),
    ask,
    assure(host) {
      if (!storage.isRemote) return undefined;
      const passed = monotonic();
      if (known !== undefined && passed - known.at <= reliableMs && !hasParted(passed)) return undefined;
      return host === undefined ? ask() : measure(host);
    },
    exact: () => storage.now(),
    now() {
      const passed = monotonic();
      const unaskedMs = passed - askedAt;
      if (unaskedMs > doubtMs && unaskedMs > freshFor(passed)) void ask().catch(() => {});
      return Math.round(known === undefined ? clock.now() : passed + known.zero);
    },
  };
}
