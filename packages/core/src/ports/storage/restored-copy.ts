import type { FactName } from "./operations.ts";

/** The fact that a database is a copy that nobody has delivered from yet; its value is when the copy was made, ISO 8601. */
export const restoredCopyFact = "restored_copy" satisfies FactName;

/** Why all delivery is held in a copy. */
export const restoredReason = (copiedAt: string): string => `restored from a copy of ${copiedAt}`;
