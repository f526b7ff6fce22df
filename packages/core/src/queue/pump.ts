import type { Logger } from "../ports/logger.ts";
import { StorageUnavailable } from "../ports/storage.ts";
import type { QueueClock } from "./queue-clock.ts";

/** Work that is claimed in batches under a lease, handled one by one, and settled in batches. */
export interface PumpWork<T, R> {
  /** For the log. */
  name: string;
  /** Items handled at once at the most, from being taken up until their settlement is durable. */
  slots: number;
  /** Items claimed at once at the most. */
  batch: number;
  leaseMs: number;
  pollMs: number;
  claim(limit: number, inHand: readonly T[]): Promise<T[]>;
  handle(item: T): Promise<R>;
  settle(results: R[]): Promise<void>;
  /** Prolongs leases; those that were. Without it, the lease outlasts the handling. */
  renew?(items: readonly T[]): Promise<readonly T[]>;
  /** Gives leases back unused, as far as they still hold. */
  release(items: readonly T[]): Promise<void>;
  /** When the next item falls due, by the clock. */
  nextDueAt(): Promise<number | undefined>;
}

export interface Pump {
  start(): void;
  /** Says that there may be work. */
  wake(): void;
  /** Claims and handles one batch; how many items it held. For tests and `worker --once`. */
  runOnce(): Promise<number>;
  /** Claims no more, gives back what was not begun, and waits for what was, at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

interface Finished<T, R> {
  item: T;
  result: R;
}

/** Ms to wait before the storage is asked again after it failed. */
const pause = 1_000;
/** How often `runOnce` tries to have its results noted. */
const onceTries = 5;
/** Ms before work that is due and can't be claimed yet is looked for again; what is settled in the meantime looks sooner. */
const heldMs = 250;
/** Ms that a result waits for others at the most, so that they share a commit. */
const gatherMs = 5;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs work until it is stopped. */
export function createPump<T, R>(
  work: PumpWork<T, R>,
  { clock, logger }: { clock: Pick<QueueClock, "now" | "monotonic">; logger: Logger },
): Pump {
  let waiting: T[] = [];
  const active = new Set<T>();
  /** When the lease on each item in hand ends, by this process's own measure of time: no step of a clock moves it. */
  const leaseEnds = new Map<T, number>();
  let finished: Finished<T, R>[] = [];
  let running = false;
  let abandoned = false;
  let settling = false;
  let more = false;
  let held = false;
  let claiming: Promise<void> | undefined;
  let renewing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  const idlers: (() => void)[] = [];

  const inHand = (): T[] => [...waiting, ...active];

  const complain = (what: string) => (error: unknown) =>
    logger.error({ err: error }, `${work.name}: ${what} failed`);

  function sleep(ms: number): void {
    clearTimeout(timer);
    if (running) timer = setTimeout(fill, ms);
  }

  function fill(): void {
    if (!running || claiming !== undefined || waiting.length >= work.slots) return;
    clearTimeout(timer);
    claiming = claim().then(() => {
      claiming = undefined;
      if (!running) return giveBack();
      begin();
      if (more && waiting.length < work.slots) setImmediate(fill);
    });
  }

  async function claim(): Promise<void> {
    more = false;
    try {
      const items = await take(work.batch);
      waiting.push(...items);
      begin();
      if (!more) sleep(await untilDue());
    } catch (error) {
      complain("claiming")(error);
      sleep(pause);
    }
  }

  async function take(limit: number): Promise<T[]> {
    const until = clock.monotonic() + work.leaseMs;
    const items = await work.claim(limit, inHand());
    for (const item of items) leaseEnds.set(item, until);
    more ||= items.length >= limit;
    return items;
  }

  async function untilDue(): Promise<number> {
    const due = await work.nextDueAt();
    // What is due and yet not claimed waits for something in hand, such as another delivery to the same endpoint.
    held = due !== undefined && due <= clock.now();
    if (due === undefined) return work.pollMs;
    return held ? heldMs : Math.min(work.pollMs, due - clock.now() + 1);
  }

  function begin(): void {
    while (running && active.size < work.slots) {
      const item = waiting.shift();
      if (item === undefined) return;
      if ((leaseEnds.get(item) ?? 0) > clock.monotonic()) undertake(item);
      else drop(item);
    }
  }

  function undertake(item: T): void {
    active.add(item);
    void work.handle(item).then(
      (result) => finish({ item, result }),
      (error: unknown) => {
        // A fault of ours: the lease lapses, and the item is tried again.
        complain("handling")(error);
        letGo(item);
        settled();
      },
    );
  }

  /** A process that slept over a lease does not begin its item: another worker may have it by now. */
  function drop(item: T): void {
    leaseEnds.delete(item);
    more = true;
    void work.release([item]).catch(complain("releasing"));
  }

  function letGo(item: T): void {
    active.delete(item);
    leaseEnds.delete(item);
  }

  function finish(one: Finished<T, R>): void {
    finished.push(one);
    if (!settling) settleSoon();
  }

  const isEnough = (): boolean => finished.length >= Math.min(work.slots / 2, active.size);

  function settleSoon(): void {
    if (isEnough()) settleNow();
    else gathering ??= setTimeout(settleNow, gatherMs);
  }

  function settleNow(): void {
    clearTimeout(gathering);
    gathering = undefined;
    if (settling) return;
    settling = true;
    setImmediate(flush);
  }

  async function flush(): Promise<void> {
    while (finished.length > 0) {
      const batch = finished;
      finished = [];
      const kept = await settle(batch);
      finished = [...kept, ...finished];
      for (const one of batch) if (!kept.includes(one)) letGo(one.item);
      more ||= held;
      settled();
      if (abandoned) break;
      if (kept.length > 0) await wait(pause);
      else if (!isEnough()) break;
    }
    settling = false;
    if (finished.length > 0 && !abandoned) settleSoon();
  }

  /** Those results that the storage did not take. What was sent must be noted: they are kept until it does, or the process ends. */
  async function settle(batch: Finished<T, R>[]): Promise<Finished<T, R>[]> {
    try {
      await work.settle(batch.map(({ result }) => result));
      return [];
    } catch (error) {
      complain("settling")(error);
      if (batch.length === 1 || error instanceof StorageUnavailable) return batch;
      // One result spoils the batch: each goes alone.
      const kept: Finished<T, R>[] = [];
      for (const one of batch) kept.push(...(await settle([one])));
      return kept;
    }
  }

  function settled(): void {
    if (active.size === 0) for (const idle of idlers.splice(0)) idle();
    begin();
    if (more) fill();
  }

  async function renew(): Promise<void> {
    const items = inHand();
    if (work.renew === undefined || items.length === 0) return;
    const until = clock.monotonic() + work.leaseMs;
    try {
      for (const item of await work.renew(items)) if (leaseEnds.has(item)) leaseEnds.set(item, until);
    } catch (error) {
      complain("renewing")(error);
    }
  }

  const keepRenewing = (): NodeJS.Timeout =>
    setInterval(() => {
      renewing = renew();
    }, work.leaseMs / 3);

  async function giveBack(): Promise<void> {
    const items = waiting;
    waiting = [];
    for (const item of items) leaseEnds.delete(item);
    if (items.length > 0) await work.release(items).catch(complain("releasing"));
  }

  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      if (active.size === 0) resolve();
      else idlers.push(resolve);
    });

  async function handleAll(items: T[]): Promise<void> {
    const outcomes = await Promise.allSettled(items.map(async (item) => work.handle(item)));
    let open: Finished<T, R>[] = outcomes.flatMap((outcome, index) => {
      if (outcome.status === "fulfilled") return { item: items[index] as T, result: outcome.value };
      complain("handling")(outcome.reason);
      return [];
    });
    for (let tries = 0; open.length > 0; tries += 1) {
      if (tries === onceTries) throw new StorageUnavailable(`${work.name}: what was done can't be noted`);
      if (tries > 0) await wait(pause);
      open = await settle(open);
    }
  }

  return {
    start() {
      if (running) return;
      running = true;
      abandoned = false;
      renewal = keepRenewing();
      fill();
    },
    wake() {
      more = true;
      fill();
    },
    async runOnce() {
      const items = await take(work.slots);
      for (const item of items) active.add(item);
      const prolonging = keepRenewing();
      try {
        await handleAll(items);
      } finally {
        clearInterval(prolonging);
        for (const item of items) letGo(item);
        settled();
      }
      return items.length;
    },
    async stop(timeoutMs) {
      running = false;
      clearTimeout(timer);
      let late: NodeJS.Timeout | undefined;
      const lateness = new Promise<void>((resolve) => {
        late = setTimeout(resolve, timeoutMs);
      });
      const quiet = Promise.all([giveBack(), claiming, idle()]).then(() => renewing);
      await Promise.race([quiet, lateness]);
      clearTimeout(late);
      if (running) return;
      clearInterval(renewal);
      abandoned = active.size > 0;
    },
  };
}
