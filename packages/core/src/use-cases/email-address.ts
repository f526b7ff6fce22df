import { z } from "zod";
import { parseAddress } from "../domain/addresses.ts";

/**
 * A bare e-mail address, kept as typed (decisions §2). Only an international domain is turned into its ASCII form: else one
 * mailbox could have two accounts.
 */
export const emailAddress = z
  .string()
  .max(254, "is longer than 254 characters")
  .transform((text, context): string => {
    const typed = text.trim();
    const parsed = parseAddress(typed);
    if (parsed === undefined) {
      context.addIssue({ code: "custom", message: 'is not an e-mail address such as "ada@example.com"' });
      return z.NEVER;
    }
    return typed.toLowerCase() === parsed.toLowerCase() ? typed : parsed;
  });
