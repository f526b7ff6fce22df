import { createVainLowerings } from "./create-vain-lowerings.ts";

/** Limits the messages per second to a server. */
export interface Pace {
  /** Ms until the next message may begin. */
  delay(now: number): number;
  /** Counts a message that begins. */
  take(now: number): void;
  accepted(now: number): void;
  /**
   * Call when it turns out that the server refused a message for its rate, at `refusedAt`; returns whether that is news: not
   * if the message was already under way at the last.
   */
  limited(now: number, refusedAt?: number): boolean;
  /** The current limit in messages per second, if there is one. */
  rate(): number | undefined;
}

/** Ms by which messages may start early: timers are no more precise. */
const tolerance = 20;
/** Recent messages are counted over a second, in tenths of it, also as of some seconds ago; and over the minute before a stop. */
const tenth = 100;
const tenths = 10;
const tenthsKept = 700;
const slowest = 0.05;
/**
 * Once a server accepted nothing for so many ms, it counts by the minute or the hour, or had stopped: it is sent what it took in
 * the minute before, spread over one, or so many messages a second.
 */
const longWindow = 10_000;
const minute = 60;
const steady = 1;
/** Messages a second above which no limit is needed. */
const fastest = 2000;
/**
 * Growth of the rate per second: slow near the limit, faster once the limit was reached more than a minute ago, and after a stop,
 * as the rate is no limit then.
 */
const growth = 0.01;
const laterGrowth = 0.03;
const growthAfterStop = 0.05;
const restless = 60_000;
/** Ms of a pause if the server accepted nothing since the last, which says nothing about the rate. */
const pause = 1000;
/**
 * Creates a rate limit that keeps to `maxPerSecond` and adapts to the server's own limit. After a refusal it continues
 * at nine tenths of what the server recently accepted, or at half its rate if that was little, and grows from there. If
 * nothing was accepted since the last, it only pauses: a hold handles that. A server that refuses as many of fewer, whatever
 * words it uses, gets its mail at the rate before for a minute.
 * Times are in ms of any monotonic clock.
 */
export function createPace(maxPerSecond: number | undefined): Pace {
  let rate: number | undefined;
  let next = 0;
  let loweredAt = Number.NEGATIVE_INFINITY;
  let grownAt = 0;
  const took = createRecentCount();
  let takenAt = Number.NEGATIVE_INFINITY;
  /** When a stop was last found, and the rate after it. */
  let stoppedAt = Number.NEGATIVE_INFINITY;
  let spread = steady;
  /** Whether the rate is no limit of the server's: it comes from there, or was lowered in vain. */
  let isNoLimit = false;
  const vain = createVainLowerings();

  const bound = () => Math.min(rate ?? Number.POSITIVE_INFINITY, maxPerSecond ?? Number.POSITIVE_INFINITY);
  const grow = (now: number) => {
    if (rate === undefined) return;
    const usual = now - loweredAt > restless ? laterGrowth : growth;
    const share = isNoLimit && takenAt > loweredAt ? growthAfterStop : usual;
    rate *= (1 + share) ** ((now - grownAt) / 1000);
    grownAt = now;
    if (rate > fastest) rate = undefined;
  };

  return {
    delay: (now) => Math.max(0, next - tolerance - now),
    take(now) {
      grow(now);
      const perSecond = bound();
      if (perSecond !== Number.POSITIVE_INFINITY) next = Math.max(next, now) + 1000 / perSecond;
    },
    accepted(now) {
      takenAt = now;
      took.add(now);
      vain.accepted();
    },
    limited(now, refusedAt = now) {
      if (vain.refused(now)) return false;
      const since = Math.max(200, 2000 / (rate ?? fastest));
      if (refusedAt - loweredAt < since) return false;
      const seen = took.count(now, refusedAt);
      const before = rate ?? seen * 2;
      const isTold = takenAt > loweredAt && before > 0;
      if (isTold) {
        const lower = Math.max(slowest, 0.9 * Math.min(before, Math.max(seen, before / 2)));
        const useful = vain.lowered(before, lower, now);
        rate = useful ?? lower;
        isNoLimit = useful !== undefined;
      } else if (rate !== undefined && now - takenAt > longWindow) {
        if (takenAt > stoppedAt) spread = Math.max(steady, took.all(now) / minute);
        stoppedAt = now;
        isNoLimit ||= rate > spread;
        rate = Math.min(rate, spread);
      }
      loweredAt = now;
      grownAt = now;
      next = Math.max(next, now + (isTold ? 1000 / (rate ?? fastest) : pause));
      return true;
    },
    rate: () => {
      const perSecond = bound();
      return perSecond === Number.POSITIVE_INFINITY ? undefined : perSecond;
    },
  };
}

/** Counts messages; tells those of the second before a recent moment, and of about a minute. */
function createRecentCount() {
  const counts = new Array<number>(tenthsKept).fill(0);
  let last = 0;
  const move = (now: number): number => {
    const current = Math.floor(now / tenth);
    for (let at = Math.max(last + 1, current - tenthsKept + 1); at <= current; at += 1)
      counts[at % tenthsKept] = 0;
    last = Math.max(last, current);
    return last;
  };
  return {
    add(now: number): void {
      const place = move(now) % tenthsKept;
      counts[place] = (counts[place] ?? 0) + 1;
    },
    count(now: number, until: number): number {
      const oldest = move(now) - tenthsKept + tenths;
      const place = Math.max(Math.floor(until / tenth), oldest);
      let sum = 0;
      for (let at = place - tenths + 1; at <= place; at += 1) sum += counts[at % tenthsKept] ?? 0;
      return sum;
    },
    /** All that are still known. */
    all(now: number): number {
      move(now);
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
