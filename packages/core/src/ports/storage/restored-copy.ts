import type { FactName } from "./operations.ts";

/**
 * Name of the fact that the database is a copy from which nobody has delivered yet. Its value is when the copy was
 * made, ISO 8601.
 */
export const restoredCopyFact = "restored_copy" satisfies FactName;

/** Reason for the hold on all delivery in such a copy. */
export const restoredReason = (copiedAt: string): string => `restored from a copy of ${copiedAt}`;
