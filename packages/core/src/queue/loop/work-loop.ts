import { setMaxListeners } from "node:events";
import type { Logger } from "../../ports/logger.ts";
import { StorageUnavailable } from "../../ports/storage.ts";
import type { QueueClock } from "../queue-clock.ts";
import { createClaiming } from "./claiming.ts";
import { createAhead } from "./create-ahead.ts";
import { createLeases } from "./leases.ts";
import { createSettling, type Finished } from "./settling.ts";
import { rest, type Tenure, type Work } from "./work.ts";

/** Runs work until it is stopped. */
export interface WorkLoop {
  start(): void;
  /** Reports that there may be work. */
  wake(): void;
  /** Claims and handles one batch. Resolves to the number of items. For tests and `worker --once`. */
  runOnce(): Promise<number>;
  /** Waits until this process has no item in progress. Resolves to whether it had one. */
  untilIdle(): Promise<boolean>;
  /**
   * Stops claiming, releases items that have not begun, and waits for the others, at most `timeoutMs`. Resolves to the
   * number of those that it abandons.
   */
  stop(timeoutMs: number): Promise<number>;
}

/** How often `runOnce` tries to store its results. */
const onceTries = 5;

/** Creates an abort signal for any number of deliveries: by default, Node warns of more than ten listeners. */
function createStopping(): AbortController {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  return stopping;
}

/**
 * Creates a work loop. An item goes from the storage into the line (`claiming`), from there into a slot while its lease
 * is valid (`leases`), is handled, and leaves the slot once its result is durable (`settling`).
 */
export function createWorkLoop<T, R>(
  work: Work<T, R>,
  { clock, logger }: { clock: Pick<QueueClock, "now" | "monotonic" | "machine">; logger: Logger },
): WorkLoop {
  const { line } = work;
  /** Not a Set, for the reason that `createItemMap` gives. */
  let active: T[] = [];
  /** Number of items that ever began. */
  let begun = 0;
  const idlers: (() => void)[] = [];
  let running = false;
  let stopping = createStopping();
  let endRenewing: () => Promise<void> = () => Promise.resolve();
  /** Whether the time of the last stop is over. */
  let isLate = false;
  const complain = (what: string) => (error: unknown) =>
    logger.error({ err: error }, `${work.name}: ${what} failed`);
  const complained = (what: string) => (error: unknown) => {
    complain(what)(error);
    return error;
  };

  const leases = createLeases<T>(work, () => [...line.all(), ...active], { clock, complain });
  const settling = createSettling<T, R>(work, {
    settled: (items) => freeSlots(items),
    isHeldUp: (results) => results > 0 && results === active.length && claiming.isHeldUp(),
    isAwaited: () => idlers.length > 0,
    isRunning: () => running,
    complain,
  });
  const ahead = createAhead(work, {
    begun: () => begun,
    free: () => work.slots - active.length,
    monotonic: clock.monotonic,
  });
  const claiming = createClaiming(
    { ...work, nextDueAt },
    { clock, ahead, waiting: () => line.ready, take: fill, complain },
  );

  async function take(limit: number): Promise<T[]> {
    const until = leases.until();
    const waiting = line.all();
    const ready = waiting.filter((item) => !line.isBlocked(item));
    const items = await work.claim(limit, { waiting, ready, active, enough: ahead.enough() });
    leases.take(items, until);
    return items;
  }

  async function nextDueAt(): Promise<number | undefined> {
    const dueAt = await work.nextDueAt();
    // Items in line may have waited for others in the queue that are gone now.
    begin();
    return dueAt;
  }

  async function fill(limit: number): Promise<number> {
    const items = await take(limit);
    line.add(items);
    if (running) begin();
    else await giveBack();
    return items.length;
  }

  function begin(): void {
    while (running && active.length < work.slots) {
      const item = line.next();
      if (item === undefined) return;
      if (leases.holds(item)) undertake(item);
      else drop(item);
    }
  }

  function undertake(item: T): void {
    active.push(item);
    begun += 1;
    void work.handle(item, tenureOf(item, stopping.signal)).then(
      (result) => settling.add({ item, result }),
      (error: unknown) => {
        // An error of this service: the lease expires, and the item is tried again.
        complain("handling")(error);
        freeSlots([item]);
      },
    );
  }

  function tenureOf(item: T, signal: AbortSignal): Tenure {
    let isLost = false;
    return {
      signal,
      isStillOurs() {
        // A later renewal may be of a claim that the item has already left.
        isLost ||= !leases.holds(item);
        return !isLost;
      },
    };
  }

  /** After a pause longer than the lease the item is not begun, as another worker may have it. */
  function drop(item: T): void {
    leases.drop(item);
    line.leave(item);
    claiming.wake();
    void work.release([item]).catch(complain("releasing"));
  }

  /** Ends items that came from the line. */
  function freeSlots(items: readonly T[]): void {
    for (const item of items) line.leave(item);
    end(items);
  }

  function end(items: readonly T[]): void {
    active = active.filter((item) => !items.includes(item));
    for (const item of items) leases.drop(item);
    if (active.length === 0) for (const idle of idlers.splice(0)) idle();
    begin();
    claiming.moved();
  }

  /** Once a lease has ended, an e-mail counts as tried: what did not begin is released again while the storage is unavailable. */
  async function giveBack(): Promise<void> {
    let items = line.clear();
    for (const item of items) leases.drop(item);
    while (items.length > 0) {
      items = await release(items);
      if (items.length === 0 || isLate) return;
      await rest();
    }
  }

  /** Releases items, of each owner separately if others keep rows locked. Returns those that may be released later. */
  async function release(items: T[]): Promise<T[]> {
    const error: unknown = await work.release(items).then(() => undefined, complained("releasing"));
    if (!(error instanceof StorageUnavailable) || error.isFinal) return [];
    const owned = Map.groupBy(items, (item) => work.ownerOf?.(item) ?? item);
    if (!error.isLocked || owned.size === 1) return items;
    const left: T[] = [];
    for (const own of owned.values()) left.push(...(isLate ? own : await release(own)));
    return left;
  }

  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      if (active.length === 0) resolve();
      else idlers.push(resolve);
      settling.hasten();
    });

  async function handleAll(items: T[]): Promise<void> {
    const { signal } = createStopping();
    const results = new Map<T, R>();
    const left = items.values();
    // A claim takes something of each lane, which may be more than there are slots.
    const handleNext = async (): Promise<void> => {
      for (const item of left)
        await work
          .handle(item, tenureOf(item, signal))
          .then((result) => void results.set(item, result), complain("handling"));
    };
    await Promise.all(Array.from({ length: work.slots }, handleNext));
    let open = [...results].map(([item, result]): Finished<T, R> => ({ item, result }));
    for (let tries = 0; open.length > 0; tries += 1) {
      if (tries === onceTries) throw new StorageUnavailable(`${work.name}: results could not be stored`);
      if (tries > 0) await rest();
      open = await settling.settle(open);
    }
  }

  return {
    start() {
      if (running) return;
      running = true;
      stopping = createStopping();
      settling.abandon(false);
      endRenewing = leases.keep();
      claiming.start();
    },
    wake: () => claiming.wake(),
    async runOnce() {
      const items = await take(work.slots);
      active.push(...items);
      const prolonged = leases.keep();
      try {
        await handleAll(items);
      } finally {
        await prolonged();
        end(items);
      }
      return items.length;
    },
    async untilIdle() {
      // A claim that has taken items has not put them in line yet.
      for (let had = false; ; had = true) {
        await claiming.looked();
        if (active.length === 0) return had;
        await idle();
      }
    },
    async stop(timeoutMs) {
      running = false;
      stopping.abort();
      const claimed = claiming.stop();
      let late: NodeJS.Timeout | undefined;
      isLate = false;
      const lateness = new Promise<void>((resolve) => {
        late = setTimeout(() => {
          isLate = true;
          resolve();
        }, timeoutMs);
      });
      const quiet = Promise.all([giveBack(), claimed, idle()]).then(endRenewing);
      await Promise.race([quiet, lateness]);
      clearTimeout(late);
      const abandoned = active.length;
      if (running) return 0;
      void endRenewing();
      settling.abandon(abandoned > 0);
      return abandoned;
    },
  };
}
