import { z } from "zod";
import { isSafeName } from "../domain/addresses.ts";

/** The name of a thing: 1 to 100 characters on one line, in Unicode's composed form (NFC), so that equal names are equal texts. */
export const nameField = z
  .string()
  .trim()
  .normalize("NFC")
  .min(1, "must not be empty")
  .max(100, "is longer than 100 characters")
  .refine(isSafeName, "must be a single line without control characters");
