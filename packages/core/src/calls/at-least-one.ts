import type { z } from "zod";

/**
 * Refuses an update that names no field to change. `ids` are the keys that only identify what to update (decisions §1).
 */
export const atLeastOne =
  (...ids: string[]) =>
  (input: object, context: z.core.$RefinementCtx): void => {
    // If there is another fault, only that is reported: a mistyped field is not an empty update.
    if (context.issues.length > 0) return;
    const changes = Object.entries(input).some(([key, value]) => value !== undefined && !ids.includes(key));
    if (!changes) context.addIssue({ code: "custom", message: "No field to change was given." });
  };

/** The same for the JSON Schema of a body, in which no id stands. */
export const changesSomething = { minProperties: 1 };
