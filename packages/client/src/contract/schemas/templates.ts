// Printed by `npm run docs:routes` from the table of routes.

/** `Preview` of the API. */
export interface Preview {
  /** The subject. */
  subject: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Placeholders that have no value. */
  missing: string[];
}

/** `Stylesheet` of the API. */
export interface Stylesheet {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** CSS that is inlined into every template of the workspace; at most 256 KiB. */
  css: string;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `Template` of the API. */
export interface Template {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** A few words for people. */
  description: string;
  /** The version that is sent. */
  active_version_id: string;
  /** A BCP 47 language tag. */
  default_language: string;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `TemplateDetails` of the API. */
export interface TemplateDetails {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** A few words for people. */
  description: string;
  /** The version that is sent. */
  active_version_id: string;
  /** A BCP 47 language tag. */
  default_language: string;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** Counts the template's versions, from 1. */
  version_number: number;
  /** The subject. */
  subject: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Values for previews; at most 256 KiB as JSON. Never sent. */
  sample_data: Record<string, unknown>;
  /** What is new in this version, for people. */
  note: string;
}

/** `TemplateVersion` of the API. */
export interface TemplateVersion {
  /** Its id. */
  id: string;
  /** Counts the template's versions, from 1. */
  version_number: number;
  /** The subject. */
  subject: string;
  /** What is new in this version, for people. */
  note: string;
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `TemplateVersionDetails` of the API. */
export interface TemplateVersionDetails {
  /** Its id. */
  id: string;
  /** Counts the template's versions, from 1. */
  version_number: number;
  /** The subject. */
  subject: string;
  /** What is new in this version, for people. */
  note: string;
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** The template it is a version of. */
  template_id: string;
  /** The HTML part. */
  html: string;
  /** The plain text part. */
  text: string;
  /** Values for previews; at most 256 KiB as JSON. Never sent. */
  sample_data: Record<string, unknown>;
}
