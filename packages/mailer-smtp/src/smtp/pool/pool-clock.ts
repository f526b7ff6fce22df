/** The clock of a connection pool: monotonic, whatever the machine's clock does. */
export interface PoolClock {
  /** Ms since any fixed moment. */
  now(): number;
  /** Calls back after `ms`, unless the returned function is called before. */
  after(ms: number, act: () => void): () => void;
}

export const steadyClock: PoolClock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
