import { z } from "zod";
import { nameField } from "../../calls/input/name-field.ts";
import { contentFields } from "./content-fields.ts";

/** The template's purpose, in one or several lines. */
export const descriptionField = z.string().trim().max(1000, "is longer than 1000 characters");

/** Fields of a new template. */
export const templateInput = z.strictObject({
  name: nameField.describe(
    "The template's name, by which requests refer to it. Unique in the workspace; 1 to 100 characters on one line.",
  ),
  description: descriptionField.default("").describe("The template's purpose, at most 1,000 characters."),
  ...contentFields,
});
