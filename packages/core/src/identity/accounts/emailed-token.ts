import { z } from "zod";
import { fieldError, type ServiceError } from "../../errors.ts";

/** A token from a link in a mail. */
export const emailedToken = z
  .string()
  .min(1, "must not be empty")
  .max(200, "is too long")
  .describe("The token of the mailed link.");

/** Unknown, used and expired tokens are answered alike. */
export const unusableToken = (): ServiceError =>
  fieldError("token", "is unknown, used or expired; ask for a new mail");
