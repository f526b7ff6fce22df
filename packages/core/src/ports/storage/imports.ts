/** What an import stored that has not ended. */
export interface ImportSum {
  /** The event about it without its count, as JSON text. */
  event: string;
  /** Number of entries added or updated. */
  count: number;
}

/** Imports of list files under way, each of which stores its file in many transactions and has one event. */
export interface Imports {
  /** Counts what an import stored, `at` a time in ms, in the same transaction. The first call's event is kept. */
  add(part: ImportSum & { name: string; workspaceId: number; at: number }): Promise<void>;
  /** Ends an import. Returns the number that was counted. */
  take(name: string): Promise<number>;
  /** Ends imports to which nothing was added since a time, at most `limit`. */
  takeBefore(before: number, limit: number): Promise<ImportSum[]>;
}
