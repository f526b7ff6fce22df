import { orNotFound } from "../../calls/or-not-found.ts";
import type { Repositories, Template, TemplateVersion } from "../../ports/storage.ts";

/** A template as lists show it (decisions §5). Times are ms since the epoch. */
export interface TemplateView {
  /** The template's id, a UUID. */
  id: string;
  /** The name by which requests refer to the template. */
  name: string;
  /** The template's purpose. */
  description: string;
  /** The id of the active version, which is sent; a UUID. */
  activeVersionId: string;
  /** The language of the template's content, a BCP 47 tag. */
  defaultLanguage: string;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A template with its active version's content. */
export interface TemplateDetails extends TemplateView {
  /** The active version's number, from 1. */
  versionNumber: number;
  /** The active version's subject, with its placeholders. */
  subject: string;
  /** Its html part; empty if there is none. */
  html: string;
  /** Its text part; empty if there is none. */
  text: string;
  /** Its example values for previews and tests. */
  sampleData: Record<string, unknown>;
  /** The author's note. */
  note: string;
}

export const viewTemplate = (template: Template): TemplateView => ({
  id: template.id,
  name: template.name,
  description: template.description,
  activeVersionId: template.activeVersionId,
  defaultLanguage: template.defaultLanguage,
  createdAt: template.createdAt,
  updatedAt: template.updatedAt,
});

export const viewTemplateDetails = (template: Template, active: TemplateVersion): TemplateDetails => ({
  ...viewTemplate(template),
  versionNumber: active.versionNumber,
  subject: active.content.subject,
  html: active.content.html,
  text: active.content.text,
  sampleData: active.sampleData,
  note: active.note,
});

/** Returns the workspace's template. Throws `not_found`. */
export async function findTemplateOrThrow(
  storage: Pick<Repositories, "templates">,
  workspaceId: number,
  id: string,
): Promise<Template> {
  return orNotFound(await storage.templates.find(workspaceId, id), "such template");
}
