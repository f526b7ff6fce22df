const free = 0;
const taken = 1;
/** Taken, and somebody may wait for it. */
const awaited = 2;

/** Turns at writing that the threads of one process take. */
export interface WriteTurns {
  /** Resolves when it is this thread's turn, and its event loop goes on in the meantime. */
  enter(): Promise<void>;
  /** Lets the next in. */
  leave(): void;
}

const alone: WriteTurns = { enter: async () => {}, leave: () => {} };

/**
 * Turns by memory that the threads share: SQLite tells nobody when its lock is free, so that whoever meets another there blocks its
 * thread, or comes too late. Without such memory, everybody's turn is now. After `patienceMs` whoever waits goes on all the same: the
 * thread that had its turn may be gone, and SQLite's own lock is what counts. Throws where the memory holds no number.
 */
export const createWriteTurns = (memory: SharedArrayBuffer | undefined, patienceMs = 2_000): WriteTurns => {
  if (memory === undefined) return alone;
  if (memory.byteLength < 4) throw new TypeError("writeTurns must be a SharedArrayBuffer of 4 bytes or more");
  const state = new Int32Array(memory, 0, 1);
  return {
    async enter() {
      if (Atomics.compareExchange(state, 0, free, taken) === free) return;
      const deadline = performance.now() + patienceMs;
      while (Atomics.exchange(state, 0, awaited) !== free) {
        const left = deadline - performance.now();
        if (left <= 0) return;
        await change(state, left);
      }
    },
    leave() {
      if (Atomics.exchange(state, 0, free) === awaited) Atomics.notify(state, 0, 1);
    },
  };
};

/** Waits until the other's turn is over, at most so many ms. */
const change = (state: Int32Array<SharedArrayBuffer>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    // What waits for memory alone keeps no event loop running.
    const timer = setTimeout(resolve, ms);
    const { async: isLater, value } = Atomics.waitAsync(state, 0, awaited, ms);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    if (isLater) void value.then(go);
    else go();
  });
