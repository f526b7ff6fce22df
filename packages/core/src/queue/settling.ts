import { StorageUnavailable } from "../ports/storage.ts";
import { type Complain, rest, type Work } from "./work.ts";

/** What was handled, and what came of it. */
export interface Finished<T, R> {
  item: T;
  result: R;
}

/**
 * - `idle`: nothing is finished;
 * - `gathering`: results wait for others to share a commit with;
 * - `settling`: a batch is on its way to the storage;
 * - `resting`: the storage did not take it, and is asked again after a while.
 */
type State = "idle" | "gathering" | "settling" | "resting";

/** Has results noted, in batches. What was sent must be noted: they are kept until the storage takes them, or are abandoned. */
export interface Settling<T, R> {
  add(one: Finished<T, R>): void;
  /** Has a batch noted at once; those results that the storage did not take. */
  settle(batch: Finished<T, R>[]): Promise<Finished<T, R>[]>;
  /** Asks no more for what the storage does not take, or asks again. */
  abandon(isAbandoned: boolean): void;
}

/** Ms that a result waits for others at the most: a commit for many costs a third of what it costs for few. */
const gatherMs = 20;

/** `settled` hears what is durable. */
export function createSettling<T, R>(
  work: Pick<Work<T, R>, "slots" | "settle">,
  { settled, complain }: { settled(items: T[]): void; complain: Complain },
): Settling<T, R> {
  let state: State = "idle";
  let finished: Finished<T, R>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let abandoned = false;

  /** Half of the slots. */
  const isEnough = (): boolean => finished.length >= work.slots / 2;

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
    setImmediate(flush);
  }

  async function flush(): Promise<void> {
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
  };
}
