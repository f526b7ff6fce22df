import { z } from "zod";

/** A two-factor code that is required. */
export const twoFactorCode = z
  .string()
  .min(1, "must not be empty")
  .max(64, "is too long")
  .describe("A six-digit code from the authenticator app.");
