import { z } from "zod";

/** The template's purpose, in one or several lines. */
export const descriptionField = z.string().trim().max(1000, "is longer than 1000 characters");
