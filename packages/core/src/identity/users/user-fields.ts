import { z } from "zod";

/** The user's number. */
export const userId = z
  .int("must be a user's number")
  .positive("must be a user's number")
  .describe("The user's number.");

/** A password as it was sent. `hashNewPassword` checks the rules for new ones. */
export const passwordText = z
  .string()
  .min(1, "must not be empty")
  .max(1024, "is too long")
  .describe("The password.");
