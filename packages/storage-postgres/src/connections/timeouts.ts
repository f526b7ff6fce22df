/** Time-outs in ms. Zero for `statement`, `lock`, `idleInTransaction` or `query` is no limit. */
export interface Timeouts {
  /** To open a connection, and for a notification to arrive; 1 or more. */
  connect: number;
  /** To wait for a free connection: a call may need several, one after another. With zero, it waits for none. */
  turn: number;
  /** The server cancels a statement after this time. */
  statement: number;
  /** The server cancels a statement that waits for a lock this long. */
  lock: number;
  /** The server ends a transaction that is idle this long: its process hangs, or is gone. */
  idleInTransaction: number;
  /** A connection without an answer for this long counts as dead. */
  query: number;
  /** Between two checks of the listening connection; 1 or more. */
  listenCheck: number;
  /** After an answer that took longer, tables that have grown are analyzed. */
  slow: number;
}

export const defaultTimeouts: Timeouts = {
  connect: 2_000,
  turn: 1_000,
  statement: 5_000,
  lock: 1_500,
  idleInTransaction: 10_000,
  query: 10_000,
  listenCheck: 10_000,
  slow: 30,
};

/** Migrations wait for those of other processes, and build indexes. */
export const patient = (timeouts: Timeouts): Timeouts => ({
  ...timeouts,
  statement: 600_000,
  lock: 600_000,
  idleInTransaction: 60_000,
  query: 660_000,
});
