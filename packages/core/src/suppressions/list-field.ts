import { z } from "zod";

/** The name of a list that recipients can unsubscribe from. */
export const listField = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, "must be 1 to 64 lower-case letters, digits and hyphens");
