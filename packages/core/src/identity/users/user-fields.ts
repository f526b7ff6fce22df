import { z } from "zod";

/** The user's number. */
export const userId = z
  .int("must be a user's number")
  .positive("must be a user's number")
  .describe("The user's number.");

/** A password as it was sent. */
export const passwordText = z
  .string()
  .min(1, "must not be empty")
  .max(1024, "is too long")
  .describe("The password.");

/** A password to be set. `hashNewPassword` checks its rules, as they depend on the configuration. */
export const newPasswordText = passwordText.describe(
  "The new password: at least 12 characters (the operator may set another number), at most 256, and none of the common ones.",
);
