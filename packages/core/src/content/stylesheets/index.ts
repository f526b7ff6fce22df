import { createStylesheet } from "./create-stylesheet.ts";
import { deleteStylesheet } from "./delete-stylesheet.ts";
import { getStylesheet } from "./get-stylesheet.ts";
import { listStylesheets } from "./list-stylesheets.ts";
import { updateStylesheet } from "./update-stylesheet.ts";

/** Stylesheets, which are inlined into e-mails. */
export const stylesheets = {
  create: createStylesheet,
  list: listStylesheets,
  get: getStylesheet,
  update: updateStylesheet,
  delete: deleteStylesheet,
} as const;
