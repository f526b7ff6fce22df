const free = 0;
const taken = 1;
/** Taken, and another thread may wait for it. */
const awaited = 2;

/** Turns at writing between the threads of one process. */
export interface WriteTurns {
  /**
   * Resolves when it is this thread's turn; the event loop goes on meanwhile. `false`: another thread still had its own
   * when this one's patience ended.
   */
  enter(): Promise<boolean>;
  /** Admits the next thread. */
  leave(): void;
}

const alone: WriteTurns = { enter: async () => true, leave: () => {} };

/**
 * Creates turns by memory that the threads share: SQLite notifies nobody when its lock is free, so a thread that finds
 * it taken blocks, or comes too late. Without such memory, every turn is granted at once. A thread goes on after
 * `patienceMs` in any case: the one whose turn it was may be gone, and SQLite's own lock is what counts. Throws if the
 * memory holds no integer.
 */
export const createWriteTurns = (memory: SharedArrayBuffer | undefined, patienceMs = 2_000): WriteTurns => {
  if (memory === undefined) return alone;
  if (memory.byteLength < 4) throw new TypeError("writeTurns must be a SharedArrayBuffer of 4 bytes or more");
  const state = new Int32Array(memory, 0, 1);
  return {
    async enter() {
      if (Atomics.compareExchange(state, 0, free, taken) === free) return true;
      const deadline = performance.now() + patienceMs;
      while (Atomics.exchange(state, 0, awaited) !== free) {
        const left = deadline - performance.now();
        if (left <= 0) return false;
        await change(state, left);
      }
      return true;
    },
    leave() {
      if (Atomics.exchange(state, 0, free) === awaited) Atomics.notify(state, 0, 1);
    },
  };
};

/** Waits until the other thread's turn is over, at most that many ms. */
const change = (state: Int32Array<SharedArrayBuffer>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    // Waiting for memory alone does not keep an event loop running.
    const timer = setTimeout(resolve, ms);
    const { async: isLater, value } = Atomics.waitAsync(state, 0, awaited, ms);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    if (isLater) void value.then(go);
    else go();
  });
