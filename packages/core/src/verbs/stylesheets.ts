// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { OutputOf } from "../use-case.ts";
import type { createStylesheet } from "../use-cases/stylesheets/create-stylesheet.ts";
import type { deleteStylesheet } from "../use-cases/stylesheets/delete-stylesheet.ts";
import type { getStylesheet } from "../use-cases/stylesheets/get-stylesheet.ts";
import type { listStylesheets } from "../use-cases/stylesheets/list-stylesheets.ts";
import type { updateStylesheet } from "../use-cases/stylesheets/update-stylesheet.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateStylesheetInput {
  name: string;
  css: string;
}

/** What `list` takes. */
export interface ListStylesheetsInput {
  page?: number | undefined;
  size?: number | undefined;
}

/** What `get` takes. */
export interface GetStylesheetInput {
  stylesheetId: string;
}

/** What `update` takes. */
export interface UpdateStylesheetInput {
  stylesheetId: string;
  name?: string | undefined;
  css?: string | undefined;
}

/** What `delete` takes. */
export interface DeleteStylesheetInput {
  stylesheetId: string;
}

/** CSS that is inlined into e-mails. */
export interface StylesheetsVerbs<K extends CallShapes = CallShapes> {
  /** Adds CSS that is inlined into the workspace's e-mails from now on (service.md, Stylesheets; decisions §5). */
  create(input: CreateStylesheetInput, ...call: K["workspace"]): Promise<OutputOf<typeof createStylesheet>>;
  /** The workspace's stylesheets, newest first (service.md, Stylesheets). */
  list(input?: ListStylesheetsInput, ...call: K["workspace"]): Promise<OutputOf<typeof listStylesheets>>;
  /** One stylesheet (decisions §5). */
  get(input: GetStylesheetInput, ...call: K["workspace"]): Promise<OutputOf<typeof getStylesheet>>;
  /** Changes a stylesheet's name or CSS, and with it what is inlined from now on (service.md, Stylesheets). */
  update(input: UpdateStylesheetInput, ...call: K["workspace"]): Promise<OutputOf<typeof updateStylesheet>>;
  /** Deletes a stylesheet; it is inlined no more (service.md, Stylesheets). */
  delete(input: DeleteStylesheetInput, ...call: K["workspace"]): Promise<OutputOf<typeof deleteStylesheet>>;
}
