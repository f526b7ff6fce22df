import type { Generated } from "kysely";
import type { Id } from "./columns.ts";

export interface ContentsTable {
  id: Id;
  hash: string;
  subject: string;
  html: string;
  text: string;
}

export interface StylesheetSetsTable {
  id: Id;
  hash: string;
  css: string;
}

export interface TemplatesTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  name: string;
  description: string;
  default_language: string;
  /** The only place that says which version is active. `null` only inside the transaction that inserts the template. */
  active_version_id: number | null;
  next_version: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface TemplateVersionsTable {
  id: Id;
  uuid: string;
  template_id: number;
  number: number;
  note: string;
  /** JSON. */
  sample_data: string;
  content_id: number;
  created_at: number;
  updated_at: number;
}

export interface StylesheetsTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  name: string;
  css: string;
  created_at: number;
  updated_at: number;
}

export interface TemplateTables {
  contents: ContentsTable;
  stylesheet_sets: StylesheetSetsTable;
  templates: TemplatesTable;
  template_versions: TemplateVersionsTable;
  stylesheets: StylesheetsTable;
}
