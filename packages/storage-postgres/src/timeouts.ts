/** Time-outs in ms. */
export interface Timeouts {
  /** To make a connection. */
  connect: number;
  /** To wait for one where all that there may be are taken: a call may need several, one after another. */
  turn: number;
  /** The server ends a statement after this. */
  statement: number;
  /** The server ends a statement that waits for a lock for so long. */
  lock: number;
  /** The server ends a transaction that is idle for so long: its process hangs, or is gone. */
  idleInTransaction: number;
  /** Without an answer for so long, a connection counts as dead. */
  query: number;
  /** Between two checks of the connection that listens. */
  listenCheck: number;
}

export const defaultTimeouts: Timeouts = {
  connect: 2_000,
  turn: 1_000,
  statement: 5_000,
  lock: 1_500,
  idleInTransaction: 10_000,
  query: 10_000,
  listenCheck: 10_000,
};

/** Migrations wait for those of other processes, and build indexes. */
export const patient = (timeouts: Timeouts): Timeouts => ({
  ...timeouts,
  statement: 600_000,
  lock: 600_000,
  idleInTransaction: 60_000,
  query: 660_000,
});
