import type { KeyedFilter } from "./kept-looks.ts";

/** One who follows the log, or waits for its next event. */
export interface Follower extends KeyedFilter {
  waiting: Waiting | undefined;
  /** Told how far looks came that had nothing for a follower who waits. */
  passed(id: number): void;
}

interface Waiting {
  after: number;
  resolve(after: number): void;
  reject(error: unknown): void;
}

/** Ends a follower's wait, if it waits, and returns it to be resolved. */
export function endWait(follower: Follower): Waiting | undefined {
  const { waiting } = follower;
  follower.waiting = undefined;
  return waiting;
}
