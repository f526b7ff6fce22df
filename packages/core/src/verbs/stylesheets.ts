// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Page } from "../calls/paging.ts";
import type { StylesheetView } from "../content/stylesheets/stylesheet-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateStylesheetInput {
  /**
   * The stylesheet's name, unique in the workspace: 1 to 100 characters on one line. Stylesheets are inlined in the
   * order of their names.
   */
  name: string;
  /**
   * CSS that is inlined into every template of the workspace, in the order of the stylesheets' names; at most 256
   * KiB.
   */
  css: string;
}

/** What `list` takes. */
export interface ListStylesheetsInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `get` takes. */
export interface GetStylesheetInput {
  /** The stylesheet's id, a UUID. */
  stylesheetId: string;
}

/** What `update` takes. */
export interface UpdateStylesheetInput {
  /** The stylesheet's id, a UUID. */
  stylesheetId: string;
  /** The stylesheet's name, unique in the workspace: 1 to 100 characters on one line. */
  name?: string | undefined;
  /**
   * CSS that is inlined into every template of the workspace, in the order of the stylesheets' names; at most 256
   * KiB.
   */
  css?: string | undefined;
}

/** What `delete` takes. */
export interface DeleteStylesheetInput {
  /** The stylesheet's id, a UUID. */
  stylesheetId: string;
}

/** Stylesheets, which are inlined into e-mails. */
export interface StylesheetsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates a stylesheet, which is inlined into the workspace's e-mails from then on (service.md, Stylesheets;
   * decisions §5).
   *
   * May refuse with `rate_limited`, `stylesheet_name_taken`.
   */
  create(this: void, input: CreateStylesheetInput, ...call: K["workspace"]): Promise<StylesheetView>;
  /** Lists the workspace's stylesheets, newest first (service.md, Stylesheets). */
  list(this: void, input?: ListStylesheetsInput, ...call: K["workspace"]): Promise<Page<StylesheetView>>;
  /** Returns one stylesheet (decisions §5). */
  get(this: void, input: GetStylesheetInput, ...call: K["workspace"]): Promise<StylesheetView>;
  /**
   * Changes a stylesheet's name or CSS. Later e-mails use the new one (service.md, Stylesheets).
   *
   * May refuse with `rate_limited`, `stylesheet_name_taken`.
   */
  update(this: void, input: UpdateStylesheetInput, ...call: K["workspace"]): Promise<StylesheetView>;
  /**
   * Deletes a stylesheet, which is no longer inlined (service.md, Stylesheets).
   *
   * May refuse with `rate_limited`.
   */
  delete(this: void, input: DeleteStylesheetInput, ...call: K["workspace"]): Promise<void>;
}
