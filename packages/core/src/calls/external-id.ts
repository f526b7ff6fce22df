import { z } from "zod";
import { linePattern } from "./input/text-patterns.ts";

/** The host's own id for a user or a workspace, such as a key of its database. Ids are compared exactly. */
export const externalId = z
  .string("must be a text")
  .min(1, "must not be empty")
  .max(200, "is longer than 200 characters")
  // Checked by classes of characters, as OpenAPI can't express a pattern with the flag u.
  .refine(
    (text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text),
    "must be a single line without control characters",
  )
  .meta({ pattern: linePattern })
  .describe("The host's own id for it: 1 to 200 characters on one line, compared exactly.");
