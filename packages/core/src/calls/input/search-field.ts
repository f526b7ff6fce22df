import { z } from "zod";

/** A text that a list is searched for, without blanks around it; an empty one, as of an empty form field, is no filter. */
export const searchField = (most: number) =>
  z.string().trim().max(most, `is longer than ${most} characters`).normalize("NFC").optional();
