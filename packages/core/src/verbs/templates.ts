// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Page } from "../calls/paging.ts";
import type { TemplateDetails, TemplateView } from "../content/templates/template-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateTemplateInput {
  /** The template's name, by which requests refer to it. Unique in the workspace; 1 to 100 characters on one line. */
  name: string;
  /** The template's purpose, at most 1,000 characters. */
  description?: string | undefined;
  /** The subject: one line of at most 998 characters. Its placeholders are not escaped. */
  subject?: string | undefined;
  /** The HTML part, at most 512 KiB. Its placeholders are escaped. HTML, text or both are required. */
  html?: string | undefined;
  /** The text part, at most 512 KiB. Default: made from the HTML part. */
  text?: string | undefined;
  /** Example values for previews, at most 256 KiB as JSON. Not used for sending. */
  sampleData?: Record<string, unknown> | undefined;
  /** A note on what changed, at most 1,000 characters. */
  note?: string | undefined;
}

/** What `list` takes. */
export interface ListTemplatesInput {
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
export interface GetTemplateInput {
  /** The template's id, a UUID. */
  templateId: string;
}

/** What `update` takes. */
export interface UpdateTemplateInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** The template's name, by which requests refer to it. Unique in the workspace; 1 to 100 characters on one line. */
  name?: string | undefined;
  /** The template's purpose, at most 1,000 characters. */
  description?: string | undefined;
  /** BCP 47 tag of the template's language, such as en or pt-BR. New templates have en. */
  defaultLanguage?: string | undefined;
}

/** What `delete` takes. */
export interface DeleteTemplateInput {
  /** The template's id, a UUID. */
  templateId: string;
}

/** Templates of e-mails. */
export interface TemplatesVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates a template. Its content becomes its first version, which is active at once (service.md, Templates).
   *
   * May refuse with `rate_limited`, `template_name_taken`.
   */
  create(this: void, input: CreateTemplateInput, ...call: K["workspace"]): Promise<TemplateView>;
  /** Lists the workspace's templates, newest first (service.md, Templates). */
  list(this: void, input?: ListTemplatesInput, ...call: K["workspace"]): Promise<Page<TemplateView>>;
  /** Returns a template with its active version's content (decisions §5). */
  get(this: void, input: GetTemplateInput, ...call: K["workspace"]): Promise<TemplateDetails>;
  /**
   * Changes a template's name, description or language. Its content belongs to the versions (service.md, Templates).
   *
   * May refuse with `template_name_taken`.
   */
  update(this: void, input: UpdateTemplateInput, ...call: K["workspace"]): Promise<TemplateView>;
  /** Deletes a template with its versions. E-mails already accepted are sent unchanged (service.md, Templates). */
  delete(this: void, input: DeleteTemplateInput, ...call: K["workspace"]): Promise<void>;
}
