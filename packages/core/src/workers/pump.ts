import type { Logger } from "../ports/logger.ts";

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
  renew(items: readonly T[]): Promise<void>;
  release(items: readonly T[]): Promise<void>;
  /** When the next item falls due, ms since the epoch. */
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

/** Ms to wait before the storage is asked again after it failed. */
const pause = 1_000;
/** Ms before work that is due and can't be claimed yet is looked for again; what is settled in the meantime looks sooner. */
const heldMs = 250;
/** Ms that a result waits for others at the most, so that they share a commit. */
const gatherMs = 5;

/** Runs work until it is stopped. */
export function createPump<T, R>(
  work: PumpWork<T, R>,
  { now, logger }: { now(): number; logger: Logger },
): Pump {
  let waiting: T[] = [];
  const active = new Set<T>();
  let finished: { item: T; result: R }[] = [];
  let running = false;
  let claiming = false;
  let settling = false;
  let more = false;
  let held = false;
  let timer: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let onIdle: (() => void) | undefined;

  const inHand = (): T[] => [...waiting, ...active];

  function sleep(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(fill, ms);
  }

  async function fill(): Promise<void> {
    if (!running || claiming || waiting.length >= work.slots) return;
    claiming = true;
    more = false;
    clearTimeout(timer);
    try {
      const claimed = await work.claim(work.batch, inHand());
      waiting.push(...claimed);
      more ||= claimed.length >= work.batch;
      if (!more && running) sleep(await untilDue());
    } catch (error) {
      logger.error({ err: error }, `${work.name}: claiming failed`);
      if (running) sleep(pause);
    } finally {
      claiming = false;
    }
    if (!running) return giveBack();
    begin();
    if (more && waiting.length < work.slots) setImmediate(fill);
  }

  async function untilDue(): Promise<number> {
    const due = await work.nextDueAt();
    if (due === undefined) return work.pollMs;
    // What is due and yet not claimed waits for something in hand, such as another delivery to the same endpoint.
    held = due <= now();
    return held ? heldMs : Math.min(work.pollMs, due - now() + 1);
  }

  function begin(): void {
    while (running && active.size < work.slots) {
      const item = waiting.shift();
      if (item === undefined) return;
      active.add(item);
      void work.handle(item).then(
        (result) => finish({ item, result }),
        (error: unknown) => {
          // A fault of ours: the lease lapses, and the item is tried again.
          logger.error({ err: error }, `${work.name}: handling failed`);
          active.delete(item);
          settled();
        },
      );
    }
  }

  function finish(one: { item: T; result: R }): void {
    finished.push(one);
    if (settling) return;
    if (finished.length >= Math.min(work.slots / 2, active.size)) settleNow();
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
      try {
        await work.settle(batch.map(({ result }) => result));
      } catch (error) {
        // What was sent must be noted: it is kept until the storage takes it, or the process ends.
        logger.error({ err: error }, `${work.name}: settling failed`);
        finished = [...batch, ...finished];
        await new Promise((resolve) => setTimeout(resolve, pause));
        continue;
      }
      for (const { item } of batch) active.delete(item);
      more ||= held;
      begin();
    }
    settling = false;
    settled();
  }

  function settled(): void {
    if (active.size === 0) onIdle?.();
    begin();
    if (more && waiting.length < work.slots) void fill();
  }

  async function renew(): Promise<void> {
    const items = inHand();
    if (items.length > 0)
      await work.renew(items).catch((error) => logger.error({ err: error }, `${work.name}: renewing failed`));
  }

  async function giveBack(): Promise<void> {
    const items = waiting;
    waiting = [];
    if (items.length > 0)
      await work
        .release(items)
        .catch((error) => logger.error({ err: error }, `${work.name}: releasing failed`));
  }

  return {
    start() {
      if (running) return;
      running = true;
      renewal = setInterval(renew, work.leaseMs / 3);
      void fill();
    },
    wake() {
      more = true;
      if (running) void fill();
    },
    async runOnce() {
      const items = await work.claim(work.slots, []);
      if (items.length > 0) await work.settle(await Promise.all(items.map(work.handle)));
      return items.length;
    },
    async stop(timeoutMs) {
      running = false;
      clearTimeout(timer);
      await giveBack();
      if (active.size > 0) {
        let late: NodeJS.Timeout | undefined;
        await Promise.race([
          new Promise<void>((resolve) => {
            onIdle = resolve;
          }),
          new Promise<void>((resolve) => {
            late = setTimeout(resolve, timeoutMs);
          }),
        ]);
        clearTimeout(late);
      }
      clearInterval(renewal);
    },
  };
}
