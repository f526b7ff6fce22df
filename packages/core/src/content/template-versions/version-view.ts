import { orNotFound } from "../../calls/or-not-found.ts";
import type { Repositories, TemplateVersion } from "../../ports/storage.ts";

/** A version as lists show it (decisions §5). Times are ms since the epoch. */
export interface VersionView {
  /** The version's id, a UUID. */
  id: string;
  /** The version's number within the template, from 1. */
  versionNumber: number;
  /** The subject, with its placeholders. */
  subject: string;
  /** The author's note. */
  note: string;
  /** Whether this version is the one that is sent. */
  isActive: boolean;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A version with its content. */
export interface VersionDetails extends VersionView {
  /** The template's id, a UUID. */
  templateId: string;
  /** The html part, with its placeholders; empty if there is none. */
  html: string;
  /** The text part, with its placeholders; empty if there is none. */
  text: string;
  /** Example values for previews and tests. */
  sampleData: Record<string, unknown>;
}

export const viewVersionDetails = (version: TemplateVersion): VersionDetails => ({
  id: version.id,
  versionNumber: version.versionNumber,
  subject: version.content.subject,
  note: version.note,
  isActive: version.isActive,
  createdAt: version.createdAt,
  updatedAt: version.updatedAt,
  templateId: version.templateId,
  html: version.content.html,
  text: version.content.text,
  sampleData: version.sampleData,
});

/** Returns the template's version. Throws `not_found`. */
export async function findVersionOrThrow(
  storage: Pick<Repositories, "templates">,
  workspaceId: number,
  { templateId, versionId }: { templateId: string; versionId: string },
): Promise<TemplateVersion> {
  return orNotFound(
    await storage.templates.findVersion(workspaceId, templateId, versionId),
    "such template version",
  );
}
