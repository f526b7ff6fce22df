import { z } from "zod";
import { addressPattern } from "../calls/input/text-patterns.ts";
import { addressKey } from "../rules/address-key.ts";
import { parseAddress, tooLongIn } from "../rules/addresses.ts";

/**
 * A bare e-mail address, its case kept as typed (decisions §2). An international domain is converted to its ASCII form:
 * otherwise one mailbox could have two accounts, or a look-alike domain could have another's.
 */
export const emailAddress = z
  .string()
  .max(254, "is longer than 254 characters")
  .transform((text, context): string => {
    const typed = text.trim();
    const parsed = parseAddress(typed);
    if (parsed === undefined) {
      const message = tooLongIn(typed) ?? 'is not an e-mail address such as "ada@example.com"';
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    return addressKey(typed) === addressKey(parsed) ? typed : parsed;
  })
  .meta({ pattern: addressPattern })
  .describe("An e-mail address without a name, at most 254 characters.");
