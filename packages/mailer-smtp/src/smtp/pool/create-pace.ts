/** Limits the messages per second to a server. */
export interface Pace {
  /** Ms until the next message may begin. */
  delay(now: number): number;
  /** Counts a message that begins. */
  take(now: number): void;
  accepted(now: number): void;
  /**
   * Call when it turns out that the server refused a message for its rate, at `refusedAt`; returns whether this lowers the
   * rate: not if the message was already under way when the rate was lowered.
   */
  limited(now: number, refusedAt?: number): boolean;
  /** The current limit in messages per second, if there is one. */
  rate(): number | undefined;
}

/** Ms by which messages may start early: timers are no more precise. */
const tolerance = 20;
/** Recent messages are counted over a second, in tenths of it, also as of some seconds ago. */
const tenth = 100;
const tenths = 10;
const tenthsKept = 100;
const slowest = 0.05;
/** Messages a second below which the rate is lowered only to what the server accepts. */
const steady = 1;
/** Messages a second above which no limit is needed. */
const fastest = 2000;
/** Growth of the rate per second: slow near the limit, faster once the limit was reached more than a minute ago. */
const growth = 0.01;
const laterGrowth = 0.1;
const restless = 60_000;
/** Ms of a pause if the server accepted nothing lately, which says nothing about the rate. */
const pause = 1000;

/**
 * Creates a rate limit that keeps to `maxPerSecond` and adapts to the server's own limit. After a refusal it continues
 * at nine tenths of what the server recently accepted, or at half its rate if that was little, and grows from there.
 * Times are in ms of any monotonic clock.
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
    delay: (now) => Math.max(0, next - tolerance - now),
    take(now) {
      grow(now);
      const perSecond = bound();
      if (perSecond !== Number.POSITIVE_INFINITY) next = Math.max(next, now) + 1000 / perSecond;
    },
    accepted(now) {
      hasTaken = true;
      took.add(now);
    },
    limited(now, refusedAt = now) {
      const since = Math.max(200, 2000 / (rate ?? fastest));
      if (refusedAt - loweredAt < since) return false;
      // In a hold since then nothing was accepted, which says nothing about the rate.
      const seen = took.count(now, refusedAt);
      if (rate === undefined && seen === 0) {
        loweredAt = now;
        next = Math.max(next, now + pause);
        return true;
      }
      const before = rate ?? Math.max(seen, 1) * 2;
      // A server that accepts nothing at all is waiting for its next minute or hour. That says nothing about the rate,
      // and a hold handles it.
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

/** Counts messages; tells those of the second before a recent moment. */
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
  };
}
