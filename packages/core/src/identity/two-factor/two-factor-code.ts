import { z } from "zod";

/** A code as typed: six digits, or a recovery code at login. */
export const twoFactorCode = z
  .string()
  .min(1, "must not be empty")
  .max(64, "is too long")
  .describe("Six digits of the authenticator app; at login a recovery code, too.");
