import type { Ahead } from "./create-ahead.ts";
import { type Complain, restMs, type Work } from "./work.ts";

/**
 * - `stopped`: no claims are made;
 * - `looking`: a claim is under way; a wake-up in the meantime causes another look;
 * - `asleep`: nothing is due, or due items wait for others in progress; lasts until the next due time or a wake-up;
 * - `full`: as many items wait as there are slots, or as begin in time, and may begin; looks continue for items that must not wait behind those, sooner
 *   after a wake-up or when an item begins;
 * - `resting`: the storage failed, and is tried again after a pause.
 */
type State = "stopped" | "looking" | "asleep" | "full" | "resting";

/** Decides when to claim items. */
export interface Claiming {
  start(): void;
  /** Stops claiming. Resolves once the claim under way, if any, has ended. */
  stop(): Promise<void>;
  /** Resolves once the claim under way, if any, has ended. */
  looked(): Promise<void>;
  /** Reports that there may be more items than the last look found. */
  wake(): void;
  /** Whether due items wait for items in progress to end. */
  isHeldUp(): boolean;
  /** Reports that an item began or ended: there may be room, and items that waited for it may be claimed. */
  moved(): void;
}

/** Ms until the next look for due items that can't be claimed yet. A settlement brings that look forward. */
const blockedMs = 250;
/** Minimum ms between two looks while the line is full. */
const hurryMs = 50;
/**
 * Looks while the line is full take at most this fraction (1 / `hurryPart`) of the time, but one is made every `fullMs`
 * in any case.
 */
const hurryPart = 20;
/**
 * Ms between two looks while items arrive one by one, so that they share a claim and its commit. After a pause the
 * first look is immediate.
 */
const gatherMs = 20;
/**
 * Ms after which a look is made while the line is full, even without a wake-up, as a postponed item may have fallen
 * due.
 */
const fullMs = 1_000;

/**
 * Creates the claiming of a work loop. `take` claims up to `limit` items, puts them in line and returns their number;
 * `waiting` returns the number of those in line that may begin once slots are free.
 */
export function createClaiming(
  work: Pick<Work<never, never>, "slots" | "batch" | "pollMs" | "nextDueAt" | "lookGapMs">,
  {
    clock,
    ahead,
    waiting,
    take,
    complain,
  }: {
    clock: { now(): number; monotonic(): number };
    ahead: Ahead;
    waiting(): number;
    take(limit: number): Promise<number>;
    complain: Complain;
  },
): Claiming {
  let state: State = "stopped";
  /** Whether the last look left due items. */
  let more = false;
  /** Whether new items were reported since the last look began. */
  let woken = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Whether due items wait for items in progress. */
  let blocked = false;
  let hurried = false;
  let gapMs = hurryMs;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  const isFull = (): boolean => waiting() >= ahead.enough();
  // A function rather than a comparison, as the state may change during an `await`.
  const isStopped = (): boolean => state === "stopped";

  function enter(next: Exclude<State, "stopped" | "looking">, ms: number): void {
    clearTimeout(timer);
    state = next;
    hurried = false;
    timer = setTimeout(look, ms);
  }

  function look(): void {
    clearTimeout(timer);
    state = "looking";
    more = false;
    woken = false;
    lookedAt = clock.monotonic();
    looking = claim()
      .catch((error: unknown) => {
        complain("claiming")(error);
        if (!isStopped()) enter("resting", restMs);
      })
      .finally(() => {
        looking = undefined;
        if (state === "looking") settle();
      });
  }

  async function claim(): Promise<void> {
    const begun = clock.monotonic();
    const wasFull = isFull();
    if (!wasFull) ahead.drained();
    const limit = wasFull ? work.slots : ahead.size();
    const count = await take(limit);
    if (wasFull) gapMs = Math.min(fullMs, Math.max(hurryMs, (clock.monotonic() - begun) * hurryPart));
    if (isFull()) ahead.filled();
    if (isStopped() || isFull()) return;
    if (count >= limit) more = true;
    if (!more && !woken) await fallAsleep(count);
  }

  async function fallAsleep(count: number): Promise<void> {
    const due = await work.nextDueAt();
    if (isStopped()) return;
    // Read once: the thread may stand still between two readings, and a timer takes no negative time.
    const now = clock.now();
    const isDue = due !== undefined && due <= now;
    // Due items that this claim left are for the next one. If it took none, they wait for items in progress, such as
    // another delivery to the same endpoint.
    more ||= isDue && count > 0;
    blocked = isDue && count === 0;
    const untilDue = due === undefined ? work.pollMs : Math.min(work.pollMs, due - now + 1);
    if (!more && !woken) enter("asleep", Math.max(blocked ? blockedMs : untilDue, gapAfterLook()));
  }

  /** Enters the next state after a look that left the loop awake. */
  function settle(): void {
    if (isFull()) enter("full", fullMs);
    else if (more) {
      state = "asleep";
      // Yield to other work on the event loop.
      setImmediate(() => {
        if (state === "asleep") look();
      });
    } else gather();
  }

  /** Ms until the next look, if the last one was expensive. */
  const gapAfterLook = (): number => lookedAt + (work.lookGapMs?.() ?? 0) - clock.monotonic();

  /**
   * Looks again once `ms` have passed since the last look, or longer if that was expensive: by default so long that items
   * of that time share it.
   */
  function gather(ms = gatherMs): void {
    const wait = Math.max(lookedAt + ms - clock.monotonic(), gapAfterLook());
    if (wait > 0) enter("asleep", wait);
    else look();
  }

  const isHeldUp = (): boolean => state === "asleep" && (more || blocked);

  function hurry(): void {
    if (hurried) return;
    enter("full", gapMs);
    hurried = true;
  }

  return {
    start() {
      if (!isStopped()) return;
      if (looking === undefined) return look();
      // The claim from before the stop is still under way.
      state = "looking";
      woken = true;
    },
    async stop() {
      state = "stopped";
      clearTimeout(timer);
      await looking;
    },
    async looked() {
      await looking;
    },
    wake() {
      const before = woken;
      woken = true;
      if (state === "asleep" && !before) gather();
      else if (state === "full") hurry();
    },
    moved() {
      if (state === "full") {
        if (isFull()) hurry();
        else look();
      } else if (isHeldUp()) gather(0);
    },
    isHeldUp,
  };
}
