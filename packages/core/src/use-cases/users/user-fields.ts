import { z } from "zod";
import { isSafeName } from "../../domain/addresses.ts";

/** The number of a user. */
export const userId = z.int("must be a user's number").positive("must be a user's number");

/** A person's name, as it may stand in a mail's header. */
export const personName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100, "is longer than 100 characters")
  .refine(isSafeName, "must be a single line without control characters");

/** A password as sent; `checkNewPassword` rules on new ones. */
export const passwordText = z.string().min(1, "must not be empty").max(1024, "is too long");
