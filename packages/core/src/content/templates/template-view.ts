import { ServiceError } from "../../errors.ts";
import {
  type Repositories,
  type Template,
  type TemplateVersion,
  UniqueViolation,
} from "../../ports/storage.ts";

/** A template as lists show it (decisions §5). Times are ms since the epoch. */
export interface TemplateView {
  id: string;
  name: string;
  description: string;
  activeVersionId: string;
  defaultLanguage: string;
  createdAt: number;
  updatedAt: number;
}

/** A template with what its active version says. */
export interface TemplateDetails extends TemplateView {
  versionNumber: number;
  subject: string;
  html: string;
  text: string;
  sampleData: Record<string, unknown>;
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

/** The workspace's template; throws `not_found`. */
export async function findTemplateOrThrow(
  storage: Pick<Repositories, "templates">,
  workspaceId: number,
  id: string,
): Promise<Template> {
  const template = await storage.templates.find(workspaceId, id);
  if (template === undefined) throw new ServiceError("not_found", { message: "There is no such template." });
  return template;
}

/** Runs a change of names; a name that is taken becomes `template_name_taken`. */
export async function orNameTaken<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ServiceError("template_name_taken");
    throw error;
  }
}
