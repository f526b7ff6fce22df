import { z } from "zod";

/** A two-factor code: six digits, or a recovery code at login. */
export const twoFactorCode = z
  .string()
  .min(1, "must not be empty")
  .max(64, "is too long")
  .describe("A code of six digits from the authenticator app; at login, also a recovery code.");
