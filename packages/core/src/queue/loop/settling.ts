import { setImmediate as setRealImmediate } from "node:timers";
import { StorageUnavailable } from "../../ports/storage.ts";
import { type Complain, rest, type Work } from "./work.ts";

/** A handled item with its result. */
export interface Finished<T, R> {
  item: T;
  result: R;
}

/**
 * - `idle`: there are no results;
 * - `gathering`: results wait for others, to share a commit;
 * - `settling`: a batch is being stored;
 * - `resting`: the storage failed, and is tried again after a pause.
 */
type State = "idle" | "gathering" | "settling" | "resting";

/**
 * Stores results in batches. Results of sent e-mails must be stored: they are kept until the storage accepts them, until
 * they are abandoned, or until the storage is closed and the loop stopped.
 */
export interface Settling<T, R> {
  add(one: Finished<T, R>): void;
  /** Stores a batch at once. Resolves to the results that the storage did not accept, but may accept later. */
  settle(batch: Finished<T, R>[]): Promise<Finished<T, R>[]>;
  /** Stops retrying for results that the storage does not accept, or retries again. */
  abandon(isAbandoned: boolean): void;
  /** Stores at once what waits for others to share its commit, because somebody waits for the end of all. */
  hasten(): void;
}

/** Maximum ms that a result waits for others: a commit for many costs, for each, a third of a commit for few. */
const gatherMs = 20;
/** Number of owners whose rows are locked after which, if nothing was stored, whole tables are taken to be. */
const vainOwners = 3;

/**
 * Creates the settling of a work loop. `settled` is called with the items whose results are durable. `isHeldUp` tells
 * whether, with that many results, all items in progress are handled, and others wait for them: results are then stored
 * at once. So they are while `isAwaited`: a drain or a stop waits for the end of all items in progress. `isRunning` tells
 * whether further items begin.
 */
export function createSettling<T, R>(
  work: Pick<Work<T, R>, "slots" | "batch" | "settle" | "ownerOf">,
  {
    settled,
    isHeldUp,
    isAwaited,
    isRunning,
    complain,
  }: {
    settled(items: T[]): void;
    isHeldUp(results: number): boolean;
    isAwaited(): boolean;
    isRunning(): boolean;
    complain: Complain;
  },
): Settling<T, R> {
  let state: State = "idle";
  let finished: Finished<T, R>[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** The turn in which a batch begins. */
  let turn: NodeJS.Immediate | undefined;
  let abandoned = false;

  const enough = Math.min(work.slots, work.batch) / 2;
  /** Whether results for half of the slots or a claim are waiting, or all that can come before others may begin. */
  const isEnough = (): boolean => finished.length >= enough || isAwaited() || isHeldUp(finished.length);

  function gather(): void {
    if (isEnough()) begin();
    else if (state === "idle") {
      state = "gathering";
      timer = setTimeout(begin, gatherMs);
    }
  }

  function begin(): void {
    clearTimeout(timer);
    state = "settling";
    // A host's test that fakes timers waits for a drain and a stop, too.
    if (isAwaited()) setRealImmediate(flush);
    else turn = setImmediate(flush);
  }

  async function flush(): Promise<void> {
    turn = undefined;
    while (finished.length > 0) {
      state = "settling";
      const batch = finished;
      finished = [];
      const kept = await settle(batch);
      finished = [...kept, ...finished];
      settled(batch.flatMap((one) => (kept.includes(one) ? [] : one.item)));
      if (abandoned) break;
      if (kept.length > 0) {
        state = "resting";
        await rest();
      } else if (!isEnough()) break;
    }
    state = "idle";
    if (finished.length > 0 && !abandoned) gather();
  }

  /** Stores a batch, as a whole or not at all. Returns the error, if it may succeed later. */
  async function store(batch: Finished<T, R>[]): Promise<{ error: unknown } | undefined> {
    try {
      await work.settle(batch.map(({ result }) => result));
      return undefined;
    } catch (error) {
      // While others could still begin, results are kept, and with them the slots.
      const isLost = error instanceof StorageUnavailable && error.isFinal && !isRunning();
      complain(isLost ? "storing results before the storage was closed" : "settling")(error);
      // They are handled again when their leases expire.
      return isLost ? undefined : { error };
    }
  }

  async function settle(batch: Finished<T, R>[]): Promise<Finished<T, R>[]> {
    const failure = await store(batch);
    if (failure === undefined) return [];
    // Otherwise each try may take the storage's whole time-out.
    const isApart = !(failure.error instanceof StorageUnavailable) || failure.error.isLocked;
    return batch.length > 1 && isApart ? settleEach(batch) : batch;
  }

  /**
   * Stores results separately: one may make the whole batch fail, or need rows that others keep locked. Of an owner with
   * such a one the further results are kept, as each of them may wait as long, and all others' behind it. Returns first
   * those that were not tried.
   */
  async function settleEach(batch: Finished<T, R>[]): Promise<Finished<T, R>[]> {
    const ownerOf = ({ item }: Finished<T, R>): unknown => work.ownerOf?.(item) ?? item;
    const lockedOut = new Set<unknown>();
    const failed: Finished<T, R>[] = [];
    const untried: Finished<T, R>[] = [];
    for (const [at, one] of batch.entries()) {
      const isVain = lockedOut.size >= vainOwners && failed.length + untried.length === at;
      const failure = isVain || lockedOut.has(ownerOf(one)) ? "untried" : await store([one]);
      if (failure === "untried") untried.push(one);
      else if (failure !== undefined) {
        failed.push(one);
        if (failure.error instanceof StorageUnavailable) lockedOut.add(ownerOf(one));
      }
    }
    return [...untried, ...failed];
  }

  return {
    add(one) {
      finished.push(one);
      if (state === "idle" || state === "gathering") gather();
    },
    settle,
    abandon(isAbandoned) {
      abandoned = isAbandoned;
      if (!abandoned && state === "idle" && finished.length > 0) gather();
    },
    hasten() {
      if (state !== "gathering" && turn === undefined) return;
      clearImmediate(turn);
      turn = undefined;
      begin();
    },
  };
}
