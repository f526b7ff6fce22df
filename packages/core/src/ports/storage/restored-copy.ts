import type { FactName } from "./operations.ts";

/**
 * Name of the fact that the database is a copy from which nobody has delivered yet. Its value is when the copy was
 * made, ISO 8601.
 */
export const restoredCopyFact = "restored_copy" satisfies FactName;

/** Reason for the hold on all delivery in such a copy. */
export const restoredReason = (copiedAt: string): string => `restored from a copy of ${copiedAt}`;

/**
 * By table, the number of ids that a restored copy never assigns. The original may have assigned them after the copy was
 * made, and they are known outside: bounces, clicks and unsubscribe links of its last mail name an e-mail and a
 * workspace by them, followers of the event stream their position. In the copy they would name another's.
 */
export const skippedIds = { emails: 1_000_000_000, events: 1_000_000_000, workspaces: 1_000 } as const;

/** Name of the fact that rows are still missing which a copy from another database brings. */
export const incompleteCopyFact = "incomplete_copy" satisfies FactName;
