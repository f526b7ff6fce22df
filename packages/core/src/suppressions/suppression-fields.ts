import { z } from "zod";
import { suppressedPattern } from "../calls/input/text-patterns.ts";
import { everyScope, type SuppressionOrigin } from "../ports/storage.ts";
import { tooLongIn } from "../rules/addresses.ts";
import { listField } from "./list-field.ts";
import { parseSuppressed, type SuppressedAddress } from "./rules/suppression-key.ts";

/** An address, or `@` and a domain. */
export const suppressedField = z
  .string()
  .min(1, "must not be empty")
  .max(998, "is longer than 998 characters")
  .transform((text, context): SuppressedAddress => {
    const parsed = parseSuppressed(text);
    if (parsed !== undefined) return parsed;
    const message =
      tooLongIn(text.trim()) ??
      'is neither an e-mail address such as "a@b.example" nor a domain such as "@b.example"';
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .meta({ pattern: suppressedPattern })
  .describe("An address, such as `a@b.example`, or a whole domain, such as `@b.example`.");

/** The scope: `*` for all mail, or a list's name. */
export const scopeField = z
  .union([z.literal(everyScope), listField], {
    error: 'must be "*" or a list\'s name: 1 to 64 lower-case letters, digits and hyphens',
  })
  .describe("The mail that it stops: `*` for all mail, or the name of a list.");

/** The reason as free text. */
export const reasonField = z.string().trim().max(500, "is longer than 500 characters");

/** Possible origins of a suppression. */
export const origins = [
  "manual",
  "bounce",
  "complaint",
  "unsubscribe",
  "import",
] as const satisfies SuppressionOrigin[];
