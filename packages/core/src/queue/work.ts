/** What a worker has in hand. */
export interface InHand<T> {
  /** Claimed and not begun. */
  waiting: readonly T[];
  /** Begun, and not durably settled yet. */
  active: readonly T[];
}

/** What is claimed and waits for a slot, and which of it is next. */
export interface Line<T> {
  readonly size: number;
  add(items: readonly T[]): void;
  /** Takes out what is to be begun next; it counts as under way until it leaves. */
  next(): T | undefined;
  /** Says that what was begun is over. */
  leave(item: T): void;
  all(): T[];
  /** Takes out everything that waits. */
  clear(): T[];
}

/** Work that is claimed in batches under a lease, handled one by one, and settled in batches. */
export interface Work<T, R> {
  /** For the log. */
  name: string;
  /** Items handled at once at the most, from being taken up until their settlement is durable. */
  slots: number;
  /** Items claimed at once at the most. */
  batch: number;
  leaseMs: number;
  pollMs: number;
  line: Line<T>;
  /** Claims up to `limit`. Where as much waits as there are slots, only what must not wait behind that. */
  claim(limit: number, inHand: InHand<T>): Promise<T[]>;
  /** `signal` is aborted when the loop is stopped: what has not begun in earnest had better come back. */
  handle(item: T, signal: AbortSignal): Promise<R>;
  settle(results: R[]): Promise<void>;
  /** Prolongs leases; those that were. Without it, the lease outlasts the handling. */
  renew?(items: readonly T[]): Promise<readonly T[]>;
  /** Gives leases back unused, as far as they still hold. */
  release(items: readonly T[]): Promise<void>;
  /** When the next item falls due, by the clock. */
  nextDueAt(): Promise<number | undefined>;
}

/** Makes what logs that something failed. */
export type Complain = (what: string) => (error: unknown) => void;

/** Ms to wait before the storage is asked again after it failed. */
export const restMs = 1_000;

export const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, restMs));
