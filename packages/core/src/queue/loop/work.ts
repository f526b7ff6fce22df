/** The items that a worker has claimed. */
export interface InHand<T> {
  /** Items that have not begun. */
  waiting: readonly T[];
  /** Those of them that may begin once a slot is free. */
  ready: readonly T[];
  /** Items that have begun and whose results are not durable yet. */
  active: readonly T[];
  /** Number of `ready` items from which on the line is full. Default: the number of slots. */
  enough?: number | undefined;
}

/** The claimed items that wait for a slot, and their order. */
export interface Line<T> {
  readonly size: number;
  /** Number of items that may begin once a slot is free. */
  readonly ready: number;
  /** Whether the item may not begin before others like it end, however many slots are free. */
  isBlocked(item: T): boolean;
  add(items: readonly T[]): void;
  /** Removes and returns the next item to begin. It counts as in progress until `leave`. */
  next(): T | undefined;
  /** Reports that an item in progress has ended. */
  leave(item: T): void;
  all(): T[];
  /** Removes and returns all waiting items. */
  clear(): T[];
}

/** What the handling of an item may ask meanwhile. */
export interface Tenure {
  /** Aborted when the loop is stopped: an item that has not really begun should then be returned at once. */
  signal: AbortSignal;
  /**
   * Whether the lease has lasted so far. After a pause of the process longer than that another worker may have the item:
   * what can't be undone is not begun. Once false, it stays so.
   */
  isStillOurs: () => boolean;
}

/** Work whose items are claimed in batches under a lease, handled one by one, and settled in batches. */
export interface Work<T, R> {
  /** Name for the log. */
  name: string;
  /** Maximum number of items in progress, from their begin until their results are durable. */
  slots: number;
  /** Maximum number of items per claim. */
  batch: number;
  leaseMs: number;
  pollMs: number;
  line: Line<T>;
  /** Claims up to `limit` items. While the line is full, it claims only items that must not wait behind those. */
  claim(limit: number, inHand: InHand<T>): Promise<T[]>;
  /** Handles an item. */
  handle(item: T, tenure: Tenure): Promise<R>;
  settle(results: R[]): Promise<void>;
  /** Returns whose the item is: while rows are locked that a result needs, others of its owner may need them too. */
  ownerOf?(item: T): unknown;
  /** Extends leases; returns those that were extended. If absent, the lease must be longer than the handling. */
  renew?(items: readonly T[]): Promise<readonly T[]>;
  /** Releases leases of items that were not used, as far as they are still valid. */
  release(items: readonly T[]): Promise<void>;
  /** Returns when the next item falls due, by the clock. */
  nextDueAt(): Promise<number | undefined>;
  /** Ms within which what waits in the line is to begin. Default: as many items wait as there are slots. */
  aheadMs?: number | undefined;
  /** Ms from one look to the next where looks are expensive, unless the last one left items that may be claimed. */
  lookGapMs?(): number;
}

/** Returns a function that logs the failure of an action. */
export type Complain = (what: string) => (error: unknown) => void;

/** Ms of pause after the storage failed. */
export const restMs = 1_000;

export const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, restMs));
