import { type Complain, restMs, type Work } from "./work.ts";

/**
 * - `stopped`: nothing is claimed;
 * - `looking`: a claim is under way; whoever wakes it meanwhile makes it look again;
 * - `asleep`: nothing is due, or what is waits for something in hand; until then, or until it is woken;
 * - `full`: as much waits as there are slots; it looks for what must not wait behind that, soon when it is woken or something was begun;
 * - `resting`: the storage failed, and is asked again after a while.
 */
type State = "stopped" | "looking" | "asleep" | "full" | "resting";

/** Decides when to claim. */
export interface Claiming {
  start(): void;
  /** Claims no more; resolves once the claim under way is over, if there is one. */
  stop(): Promise<void>;
  /** Says that there may be more than the last look found. */
  wake(): void;
  /** Says that something was begun or is over: there may be room, and what waited for it may be claimed. */
  moved(): void;
}

/** Ms until the next look for work that is due and can't be claimed yet; a settlement brings that look forward. */
const blockedMs = 250;
/** Ms, at least, between two looks past a line that is full. */
const hurryMs = 50;
/** Looks past a full line take at most one part in so many of the time; but one is made every `fullMs` all the same. */
const hurryPart = 20;
/** Ms between two looks while items come one by one: those of that time share a claim and its commit. After a rest a look is made at once. */
const gatherMs = 20;
/** Ms after which a look past a full line is made even if nothing moves: an item that was put off may have fallen due. */
const fullMs = 1_000;

/** `take` claims up to so many and puts them in line, and says how many they were; `waiting` tells how many are in line. */
export function createClaiming(
  work: Pick<Work<never, never>, "slots" | "batch" | "pollMs" | "nextDueAt">,
  {
    clock,
    waiting,
    take,
    complain,
  }: {
    clock: { now(): number; monotonic(): number };
    waiting(): number;
    take(limit: number): Promise<number>;
    complain: Complain;
  },
): Claiming {
  let state: State = "stopped";
  /** Whether the last look left something that is due. */
  let more = false;
  /** Whether there may be more since the last look began. */
  let woken = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Whether what is due waits for something in hand. */
  let blocked = false;
  let hurried = false;
  let gapMs = hurryMs;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  const isFull = (): boolean => waiting() >= work.slots;
  // A function, as a claim under way may be stopped.
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
    const limit = wasFull ? work.slots : work.batch;
    const count = await take(limit);
    if (wasFull) gapMs = Math.min(fullMs, Math.max(hurryMs, (clock.monotonic() - begun) * hurryPart));
    if (isStopped() || isFull()) return;
    if (count >= limit) more = true;
    if (!more && !woken) await fallAsleep(count);
  }

  async function fallAsleep(count: number): Promise<void> {
    const due = await work.nextDueAt();
    if (isStopped()) return;
    const isDue = due !== undefined && due <= clock.now();
    // Due items that this claim left are for the next one. Where it took none, they wait for items in hand, such as another delivery to the endpoint.
    more ||= isDue && count > 0;
    blocked = isDue && count === 0;
    const untilDue = due === undefined ? work.pollMs : Math.min(work.pollMs, due - clock.now() + 1);
    if (!more && !woken) enter("asleep", blocked ? blockedMs : untilDue);
  }

  /** The state after a look that found the loop something to do. */
  function settle(): void {
    if (isFull()) enter("full", fullMs);
    else if (more) {
      state = "asleep";
      // Others have their turn in between.
      setImmediate(() => {
        if (state === "asleep") look();
      });
    } else gather();
  }

  /** Makes a look; where the last one was just now, after `gatherMs`, so that items of the meantime share it. */
  function gather(): void {
    const wait = lookedAt + gatherMs - clock.monotonic();
    if (wait > 0) enter("asleep", wait);
    else look();
  }

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
      } else if (state === "asleep" && (more || blocked)) look();
    },
  };
}
