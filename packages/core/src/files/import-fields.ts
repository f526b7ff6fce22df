import { z } from "zod";

/** Input fields of an import whose file comes in several calls. */
export const importFields = {
  importId: z
    .string()
    .regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, hyphens and underscores")
    .optional()
    .describe(
      "Joins the caller's calls of one import, which then have one audit event with the sum: a UUID, or any 1 to 64 letters, digits, hyphens and underscores. Default: the call is an import of its own.",
    ),
  more: z
    .boolean()
    .default(false)
    .describe(
      "Whether further calls of the same import follow. The last call, for which it is false, writes the event, and so does one that fails; the last may be empty. Needs the import's id. Default false.",
    ),
};
