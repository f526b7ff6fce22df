import { z } from "zod";
import { fieldError, type ServiceError } from "../../errors.ts";

/** A token from an e-mailed link. */
export const emailedToken = z
  .string()
  .min(1, "must not be empty")
  .max(200, "is too long")
  .describe("The token from the e-mailed link.");

/** The error for unknown, used and expired tokens alike. */
export const unusableToken = (): ServiceError =>
  fieldError("token", "is unknown, used or expired; ask for a new mail");
