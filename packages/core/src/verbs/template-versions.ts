// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Page } from "../calls/paging.ts";
import type { PreviewedVersion } from "../content/template-versions/preview-version.ts";
import type { VersionDetails, VersionView } from "../content/template-versions/version-view.ts";
import type { TemplateView } from "../content/templates/template-view.ts";
import type { SentEmail } from "../mail/submission/submit-email.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateVersionInput {
  /** The template's id, a UUID. */
  templateId: string;
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
export interface ListVersionsInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 100. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `get` takes. */
export interface GetVersionInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** The version's id, a UUID. */
  versionId: string;
}

/** What `update` takes. */
export interface UpdateVersionInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** The version's id, a UUID. */
  versionId: string;
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

/** What `delete` takes. */
export interface DeleteVersionInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** The version's id, a UUID. */
  versionId: string;
}

/** What `activate` takes. */
export interface ActivateVersionInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** The version's id, a UUID. */
  versionId: string;
}

/** What `preview` takes. */
export interface PreviewVersionInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** The version's id, a UUID. */
  versionId: string;
  /** Values for the placeholders, at most 256 KiB as JSON. Default: the version's sample data. */
  templateData?: Record<string, unknown> | undefined;
}

/** What `test` takes. */
export interface TestVersionInput {
  /** The template's id, a UUID. */
  templateId: string;
  /** The version's id, a UUID. */
  versionId: string;
  /** Recipients of the test: one address, or at most 50. */
  to: string | string[];
  /** Values for the placeholders, at most 256 KiB as JSON. Default: the version's sample data. */
  templateData?: Record<string, unknown> | undefined;
}

/** Versions of templates, each with its content. */
export interface TemplateVersionsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates a version with the next number. The active one stays active (service.md, Template versions).
   *
   * May refuse with `rate_limited`.
   */
  create(this: void, input: CreateVersionInput, ...call: K["workspace"]): Promise<VersionDetails>;
  /** Lists a template's versions, newest first (service.md, Templates). */
  list(this: void, input: ListVersionsInput, ...call: K["workspace"]): Promise<Page<VersionView>>;
  /** Returns a version with its content (decisions §5). */
  get(this: void, input: GetVersionInput, ...call: K["workspace"]): Promise<VersionDetails>;
  /**
   * Changes the given parts of a version. E-mails already accepted keep the former content (service.md, Templates;
   * decisions §5).
   *
   * May refuse with `rate_limited`.
   */
  update(this: void, input: UpdateVersionInput, ...call: K["workspace"]): Promise<VersionDetails>;
  /**
   * Deletes a version other than the active one (service.md, Template versions).
   *
   * May refuse with `active_version`.
   */
  delete(this: void, input: DeleteVersionInput, ...call: K["workspace"]): Promise<void>;
  /** Activates a version, which is sent from then on in place of the former one (service.md, Template versions). */
  activate(this: void, input: ActivateVersionInput, ...call: K["workspace"]): Promise<TemplateView>;
  /**
   * Renders a version as it would be sent, with stylesheets inlined, and returns the names of placeholders that have
   * no value. Default values: the version's sample data. Throws `template_render_failed` past a limit (decisions §5).
   *
   * May refuse with `rate_limited`, `template_render_failed`.
   */
  preview(this: void, input: PreviewVersionInput, ...call: K["workspace"]): Promise<PreviewedVersion>;
  /**
   * Sends a version, active or not, to the given addresses. The e-mail is marked as a test, and counts towards the
   * quota (decisions §5).
   *
   * May refuse with `email_not_verified`, `workspace_not_trusted`, `sender_missing`, `domain_not_verified`,
   * `all_recipients_suppressed`, `no_smtp_server`, `rate_limited`, `template_render_failed`.
   */
  test(this: void, input: TestVersionInput, ...call: K["workspace"]): Promise<SentEmail>;
}
