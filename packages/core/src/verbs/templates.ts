// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { OutputOf } from "../use-case.ts";
import type { createTemplate } from "../use-cases/templates/create-template.ts";
import type { deleteTemplate } from "../use-cases/templates/delete-template.ts";
import type { getTemplate } from "../use-cases/templates/get-template.ts";
import type { listTemplates } from "../use-cases/templates/list-templates.ts";
import type { updateTemplate } from "../use-cases/templates/update-template.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateTemplateInput {
  name: string;
  description?: string | undefined;
  subject?: string | undefined;
  html?: string | undefined;
  text?: string | undefined;
  sampleData?: Record<string, unknown> | undefined;
  note?: string | undefined;
}

/** What `list` takes. */
export interface ListTemplatesInput {
  page?: number | undefined;
  size?: number | undefined;
}

/** What `get` takes. */
export interface GetTemplateInput {
  templateId: string;
}

/** What `update` takes. */
export interface UpdateTemplateInput {
  templateId: string;
  name?: string | undefined;
  description?: string | undefined;
  defaultLanguage?: string | undefined;
}

/** What `delete` takes. */
export interface DeleteTemplateInput {
  templateId: string;
}

/** What e-mails are made from. */
export interface TemplatesVerbs<K extends CallShapes = CallShapes> {
  /** Makes a template, whose content becomes its first version, active at once (service.md, Templates). */
  create(input: CreateTemplateInput, ...call: K["workspace"]): Promise<OutputOf<typeof createTemplate>>;
  /** The workspace's templates, newest first (service.md, Templates). */
  list(input?: ListTemplatesInput, ...call: K["workspace"]): Promise<OutputOf<typeof listTemplates>>;
  /** A template with what its active version says (decisions §5). */
  get(input: GetTemplateInput, ...call: K["workspace"]): Promise<OutputOf<typeof getTemplate>>;
  /** Changes a template's name, description or language; its content is the versions' affair (service.md, Templates). */
  update(input: UpdateTemplateInput, ...call: K["workspace"]): Promise<OutputOf<typeof updateTemplate>>;
  /** Deletes a template with its versions; e-mails already accepted are sent as they were (service.md, Templates). */
  delete(input: DeleteTemplateInput, ...call: K["workspace"]): Promise<OutputOf<typeof deleteTemplate>>;
}
