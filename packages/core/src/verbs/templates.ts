// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Page } from "../calls/paging.ts";
import type { TemplateDetails, TemplateView } from "../content/templates/template-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateTemplateInput {
  /** By which sends name it. Unique in the workspace; 1 to 100 characters on one line. */
  name: string;
  /** What it is for, at most 1,000 characters. */
  description?: string | undefined;
  /** The subject, on one line, at most 998 characters; may hold placeholders, which are not escaped in it. */
  subject?: string | undefined;
  /** The html part, at most 512 KiB; placeholders are escaped. At least one of html and text is needed. */
  html?: string | undefined;
  /** The text part, at most 512 KiB. Made from the html where only that is given. */
  text?: string | undefined;
  /** Example values for previews, at most 256 KiB as JSON. Never used for sending. */
  sampleData?: Record<string, unknown> | undefined;
  /** What changed, for people; at most 1,000 characters. */
  note?: string | undefined;
}

/** What `list` takes. */
export interface ListTemplatesInput {
  /** Which page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Items a page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
   * the same however deep that is.
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
  /** By which sends name it. Unique in the workspace; 1 to 100 characters on one line. */
  name?: string | undefined;
  /** What it is for, at most 1,000 characters. */
  description?: string | undefined;
  /** BCP 47 tag of its language, such as en or pt-BR. New templates have en. */
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
   * Creates a template, whose content becomes its first version, active at once (service.md, Templates).
   *
   * May refuse with `rate_limited`, `template_name_taken`.
   */
  create(input: CreateTemplateInput, ...call: K["workspace"]): Promise<TemplateView>;
  /** The workspace's templates, newest first (service.md, Templates). */
  list(input?: ListTemplatesInput, ...call: K["workspace"]): Promise<Page<TemplateView>>;
  /** A template with its active version's content (decisions §5). */
  get(input: GetTemplateInput, ...call: K["workspace"]): Promise<TemplateDetails>;
  /**
   * Changes a template's name, description or language; its content belongs to the versions (service.md, Templates).
   *
   * May refuse with `template_name_taken`.
   */
  update(input: UpdateTemplateInput, ...call: K["workspace"]): Promise<TemplateView>;
  /** Deletes a template with its versions; e-mails already accepted are sent as they were (service.md, Templates). */
  delete(input: DeleteTemplateInput, ...call: K["workspace"]): Promise<void>;
}
