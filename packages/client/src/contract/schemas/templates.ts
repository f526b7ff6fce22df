// Printed by `npm run docs:routes` from the table of routes.

/** `Preview` of the API. */
export interface Preview {
  /** Subject. */
  subject: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Placeholders without a value. */
  missing: string[];
}

/** `Stylesheet` of the API. */
export interface Stylesheet {
  /** Id. */
  id: string;
  /** Name. */
  name: string;
  /** CSS that is inlined into every template of the workspace; at most 256 KiB. */
  css: string;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `Template` of the API. */
export interface Template {
  /** Id. */
  id: string;
  /** Name. */
  name: string;
  /** A description for people. */
  description: string;
  /** Id of the version that is sent. */
  active_version_id: string;
  /** BCP 47 language tag. */
  default_language: string;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `TemplateDetails` of the API. */
export interface TemplateDetails {
  /** Id. */
  id: string;
  /** Name. */
  name: string;
  /** A description for people. */
  description: string;
  /** Id of the version that is sent. */
  active_version_id: string;
  /** BCP 47 language tag. */
  default_language: string;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
  /** Number of the template's version, from 1. */
  version_number: number;
  /** Subject. */
  subject: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Values for previews; at most 256 KiB as JSON. Never sent. */
  sample_data: Record<string, unknown>;
  /** Note on what is new in this version. */
  note: string;
}

/** `TemplateVersion` of the API. */
export interface TemplateVersion {
  /** Id. */
  id: string;
  /** Number of the template's version, from 1. */
  version_number: number;
  /** Subject. */
  subject: string;
  /** Note on what is new in this version. */
  note: string;
  /** Whether it is in use. */
  is_active: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `TemplateVersionDetails` of the API. */
export interface TemplateVersionDetails {
  /** Id. */
  id: string;
  /** Number of the template's version, from 1. */
  version_number: number;
  /** Subject. */
  subject: string;
  /** Note on what is new in this version. */
  note: string;
  /** Whether it is in use. */
  is_active: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
  /** Id of the version's template. */
  template_id: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Values for previews; at most 256 KiB as JSON. Never sent. */
  sample_data: Record<string, unknown>;
}
