import { z } from "zod";

/** What a template is for, in words; may have several lines. */
export const descriptionField = z.string().trim().max(1000, "is longer than 1000 characters");
