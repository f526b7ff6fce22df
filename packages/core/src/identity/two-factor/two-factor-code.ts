import { z } from "zod";

/** A two-factor code, or none. */
export const twoFactorText = z.string().max(64, "is too long");

/** A two-factor code that is required. */
export const twoFactorCode = twoFactorText
  .min(1, "must not be empty")
  .describe("A six-digit code from the authenticator app.");
