/** How many messages a second a server is given. */
export interface Pace {
  /** Ms until the next message may begin. */
  delay(now: number): number;
  /** A message begins. */
  take(now: number): void;
  accepted(now: number): void;
  /** The server wants fewer; whether this lowered the pace, or told of messages that were under way when it was lowered. */
  limited(now: number): boolean;
  /** Messages a second now, where there is a bound. */
  rate(): number | undefined;
}

/** Ms by which messages may come before their time: timers are no finer. */
const tolerance = 20;
/** How what a server took lately is counted: for a second, by tenths of it. */
const tenth = 100;
const tenths = 10;
const slowest = 0.05;
/** Messages a second below which the pace falls only by what a server takes. */
const steady = 1;
/** Messages a second beyond which a bound is none. */
const fastest = 2000;
/** By how much the pace grows in a second: slowly near the limit, sooner once it has been away for a minute. */
const growth = 0.01;
const laterGrowth = 0.1;
const restless = 60_000;

/**
 * Makes a pace that keeps to `maxPerSecond`, and finds out a server's own limit: after a refusal it goes on with nine tenths of what the
 * server took lately, or half of its pace where that was little, and grows from there. Times are in ms of any steady clock.
 */
export function createPace(maxPerSecond: number | undefined): Pace {
  let rate: number | undefined;
  let next = 0;
  let loweredAt = Number.NEGATIVE_INFINITY;
  let grownAt = 0;
  const took = createRecentCount();
  let hasTaken = false;

  const bound = () => Math.min(rate ?? Number.POSITIVE_INFINITY, maxPerSecond ?? Number.POSITIVE_INFINITY);
  const grow = (now: number) => {
    if (rate === undefined) return;
    const share = now - loweredAt > restless ? laterGrowth : growth;
    rate *= (1 + share) ** ((now - grownAt) / 1000);
    grownAt = now;
    if (rate > fastest) rate = undefined;
  };

  return {
    delay: (now) => (bound() === Number.POSITIVE_INFINITY ? 0 : Math.max(0, next - tolerance - now)),
    take(now) {
      grow(now);
      const perSecond = bound();
      if (perSecond !== Number.POSITIVE_INFINITY) next = Math.max(next, now) + 1000 / perSecond;
    },
    accepted(now) {
      hasTaken = true;
      took.add(now);
    },
    limited(now) {
      const since = Math.max(200, 2000 / (rate ?? fastest));
      if (now - loweredAt < since) return false;
      const seen = took.count(now);
      const before = rate ?? Math.max(seen, 1) * 2;
      // A server that takes nothing at all waits for its next minute or hour, which tells nothing of the pace then: a hold is for that.
      const least = hasTaken ? slowest : Math.min(before, steady);
      rate = Math.max(least, 0.9 * Math.min(before, Math.max(seen, before / 2)));
      hasTaken = false;
      loweredAt = now;
      grownAt = now;
      next = now + 1000 / rate;
      return true;
    },
    rate: () => {
      const perSecond = bound();
      return perSecond === Number.POSITIVE_INFINITY ? undefined : perSecond;
    },
  };
}

/** Counts what happened in the last second. */
function createRecentCount() {
  const counts = new Array<number>(tenths).fill(0);
  let last = 0;
  const move = (now: number): number => {
    const current = Math.floor(now / tenth);
    for (let at = Math.max(last + 1, current - tenths + 1); at <= current; at += 1) counts[at % tenths] = 0;
    last = Math.max(last, current);
    return last % tenths;
  };
  return {
    add(now: number): void {
      const place = move(now);
      counts[place] = (counts[place] ?? 0) + 1;
    },
    count(now: number): number {
      move(now);
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
