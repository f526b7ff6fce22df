import { setImmediate } from "node:timers/promises";
import type { Storage } from "../../ports/storage.ts";
import { allEvents, keyOfFilter } from "./filter-events.ts";
import { endWait, type Follower } from "./follower.ts";
import { createKeptLooks, type Found, type KeptLooks, type KeyedFilter } from "./kept-looks.ts";
import { createLogBell } from "./log-bell.ts";

/** Number of events that one look asks for. */
export const lookSize = 500;

/** Ms from one look to the next, at least. */
const leastPauseMs = 10;
/** Events given to followers in a ms, at most: these take about a quarter of a processor's time. */
const toldInMs = 250;

/** The looks at the end of the log, for as long as anybody follows. */
export interface TailWatch {
  /** Has later looks find what the present followers' filters match. */
  refocus(): void;
  /** Returns what is kept after an id; `undefined` if nothing is kept from there on. */
  after(id: number, filter: KeyedFilter): Found | undefined;
  /** See `TailPlace`. The first who waits has the looks begin. */
  wait(id: number, follower: Follower): Promise<number>;
  stop(): void;
}

/**
 * Watches the end of the log. However many follow, each event is looked at once. The more events a look gave to more
 * followers, the later is the next: where many follow more than they can be told, they fall behind, and nobody else does.
 */
export function watchTail(
  storage: Pick<Storage, "events" | "subscribe">,
  followers: ReadonlySet<Follower>,
  fail: (error: unknown) => void,
): TailWatch {
  const looks = createKeptLooks();
  const bell = createLogBell(storage);
  let focus = commonFilter(followers);
  let hasBegun = false;
  let isStopped = false;

  function refocus(): void {
    const before = focus;
    focus = commonFilter(followers);
    // The looks so far lack what a narrower filter excluded.
    if (focus.key !== before.key && before.key !== all.key) looks.clear(looks.end());
  }

  /** Looks once. Returns how many events followers were given by it, and whether the log may have more. */
  async function look(): Promise<{ told: number; isMore: boolean }> {
    const { key, filter } = focus;
    const found = await storage.events.listAfter(looks.end(), filter, lookSize);
    // Somebody with another filter joined meanwhile.
    if (isStopped || key !== focus.key) return { told: 0, isMore: true };
    looks.add(found);
    let told = 0;
    for (const follower of followers) told += tell(follower, looks);
    return { told, isMore: found.isMore };
  }

  async function watch(): Promise<void> {
    while (!isStopped) {
      const begun = performance.now();
      const { told, isMore } = await look();
      // Others have their turn between two looks.
      if (isMore) await setImmediate();
      const pause = Math.max(isMore ? 0 : leastPauseMs, told / toldInMs);
      await bell.rest(begun + pause - performance.now());
      if (!isMore) await bell.wait();
    }
  }

  return {
    refocus,
    after: (id, filter) => (hasBegun ? looks.after(id, filter) : undefined),
    wait(id, follower) {
      if (!hasBegun) {
        hasBegun = true;
        looks.clear(id);
        watch().catch((error: unknown) => {
          if (!isStopped) fail(error);
        });
      }
      // Looks that were made while the follower's consumer was busy have woken nobody.
      if (looks.end() > id) return Promise.resolve(id);
      return new Promise((resolve, reject) => {
        follower.waiting = { after: id, resolve, reject };
      });
    },
    stop() {
      isStopped = true;
      bell.close();
    },
  };
}

const all: KeyedFilter = { key: keyOfFilter(allEvents), filter: allEvents };

/** The filter of all followers; all events, if they have several. */
function commonFilter(followers: Iterable<KeyedFilter>): KeyedFilter {
  let common: KeyedFilter | undefined;
  for (const { key, filter } of followers) {
    if (common !== undefined && common.key !== key) return all;
    common = { key, filter };
  }
  return common ?? all;
}

/** Gives a follower who waits what the last look found. Returns the number of events. */
function tell(follower: Follower, looks: KeptLooks): number {
  const { waiting } = follower;
  if (waiting === undefined || looks.end() <= waiting.after) return 0;
  const found = looks.after(waiting.after, follower);
  if (found === undefined || found.events.length > 0) {
    endWait(follower)?.resolve(waiting.after);
    return found?.events.length ?? 0;
  }
  waiting.after = found.upTo;
  follower.passed(found.upTo);
  return 0;
}
