import type { z } from "zod";

/**
 * Makes the schema of an update refuse an input without a field to change, and say so in its JSON Schema. `ids` are the
 * keys that only identify what to update; no body has them (decisions §1).
 */
export const atLeastOne = <T extends z.ZodObject>(update: T, ...ids: string[]): T =>
  update
    .superRefine((input, context) => {
      // If there is another fault, only that is reported: a mistyped field is not an empty update.
      if (context.issues.length > 0) return;
      const changes = Object.entries(input).some(([key, value]) => value !== undefined && !ids.includes(key));
      if (!changes) context.addIssue({ code: "custom", message: "No field to change was given." });
    })
    .meta({ minProperties: 1 });
