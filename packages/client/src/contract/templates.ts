// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type {
  Email,
  Preview,
  Template,
  TemplateDetails,
  TemplateVersion,
  TemplateVersionDetails,
} from "./schemas.ts";

/** Lines of the contract about templates. */
export interface TemplatesLines {
  /** Create a template with its first version. */
  "POST /workspaces/current/templates": {
    fields: {
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
      sample_data?: Record<string, unknown> | undefined;
      /** A note on what changed, at most 1,000 characters. */
      note?: string | undefined;
    };
    reply: Template;
  };
  /** List templates. */
  "GET /workspaces/current/templates": {
    fields: {
      /** Which page, counted from 1; 0 answers the first, too. Default 1. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<Template>;
  };
  /** Read a template with its active version. */
  "GET /workspaces/current/templates/{id}": {
    fields: {
      /** The template's id, a UUID. */
      id: string | number;
    };
    reply: TemplateDetails;
  };
  /** Change a template. */
  "PUT /workspaces/current/templates/{id}": {
    fields: {
      /** The template's id, a UUID. */
      id: string | number;
      /** The template's name, by which requests refer to it. Unique in the workspace; 1 to 100 characters on one line. */
      name?: string | undefined;
      /** The template's purpose, at most 1,000 characters. */
      description?: string | undefined;
      /** BCP 47 tag of the template's language, such as en or pt-BR. New templates have en. */
      default_language?: string | undefined;
    };
    reply: Template;
  };
  /** Delete a template. */
  "DELETE /workspaces/current/templates/{id}": {
    fields: {
      /** The template's id, a UUID. */
      id: string | number;
    };
    reply: undefined;
  };
  /** List a template's versions. */
  "GET /workspaces/current/templates/{templateId}/versions": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 100. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<TemplateVersion>;
  };
  /** Create a version. */
  "POST /workspaces/current/templates/{templateId}/versions": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** The subject: one line of at most 998 characters. Its placeholders are not escaped. */
      subject?: string | undefined;
      /** The HTML part, at most 512 KiB. Its placeholders are escaped. HTML, text or both are required. */
      html?: string | undefined;
      /** The text part, at most 512 KiB. Default: made from the HTML part. */
      text?: string | undefined;
      /** Example values for previews, at most 256 KiB as JSON. Not used for sending. */
      sample_data?: Record<string, unknown> | undefined;
      /** A note on what changed, at most 1,000 characters. */
      note?: string | undefined;
    };
    reply: TemplateVersion;
  };
  /** Read a version. */
  "GET /workspaces/current/templates/{templateId}/versions/{versionId}": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** The version's id, a UUID. */
      versionId: string | number;
    };
    reply: TemplateVersionDetails;
  };
  /** Change a version. */
  "PUT /workspaces/current/templates/{templateId}/versions/{versionId}": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** The version's id, a UUID. */
      versionId: string | number;
      /** The subject: one line of at most 998 characters. Its placeholders are not escaped. */
      subject?: string | undefined;
      /** The HTML part, at most 512 KiB. Its placeholders are escaped. HTML, text or both are required. */
      html?: string | undefined;
      /** The text part, at most 512 KiB. Default: made from the HTML part. */
      text?: string | undefined;
      /** Example values for previews, at most 256 KiB as JSON. Not used for sending. */
      sample_data?: Record<string, unknown> | undefined;
      /** A note on what changed, at most 1,000 characters. */
      note?: string | undefined;
    };
    reply: TemplateVersionDetails;
  };
  /** Delete a version. */
  "DELETE /workspaces/current/templates/{templateId}/versions/{versionId}": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** The version's id, a UUID. */
      versionId: string | number;
    };
    reply: undefined;
  };
  /** Activate a version. */
  "POST /workspaces/current/templates/{templateId}/activate/{versionId}": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** The version's id, a UUID. */
      versionId: string | number;
    };
    reply: Template;
  };
  /** Preview a version. */
  "POST /workspaces/current/templates/{templateId}/versions/{versionId}/preview": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** The version's id, a UUID. */
      versionId: string | number;
      /** Values for the placeholders, at most 256 KiB as JSON. Default: the version's sample data. */
      template_data?: Record<string, unknown> | undefined;
    };
    reply: Preview;
  };
  /** Send a version as a test. */
  "POST /workspaces/current/templates/{templateId}/versions/{versionId}/test": {
    fields: {
      /** The template's id, a UUID. */
      templateId: string | number;
      /** The version's id, a UUID. */
      versionId: string | number;
      /** Recipients of the test: one address, or at most 50. */
      to: string | string[];
      /** Values for the placeholders, at most 256 KiB as JSON. Default: the version's sample data. */
      template_data?: Record<string, unknown> | undefined;
    };
    reply: Email;
  };
}
