import { z } from "zod";

/** A host's own name for a person or a workspace, such as a key of its database. Compared letter by letter. */
export const externalId = z
  .string("must be a text")
  .min(1, "must not be empty")
  .max(200, "is longer than 200 characters")
  // A check instead of a pattern, which OpenAPI could not say without the flag u.
  .refine(
    (text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text),
    "must be a single line without control characters",
  )
  .describe("The host's own id for it: 1 to 200 characters on one line, compared exactly.");
