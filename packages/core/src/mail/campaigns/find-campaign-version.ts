import { listTemplateNames, unknownTemplate } from "../../content/unknown-template.ts";
import { ServiceError } from "../../errors.ts";
import type { Campaign, Repositories } from "../../ports/storage.ts";

/**
 * Returns the version of its template that a campaign would be sent from if it were started now: the one that it names,
 * or the active one. Throws `not_found` if there is none.
 */
export async function findCampaignVersion(
  { templates }: Pick<Repositories, "templates">,
  { workspaceId, template: name = "", templateVersionId: wanted }: CampaignSource,
): Promise<{ versionId: string; contentId: number }> {
  const [active] = await templates.findActive([{ workspaceId, name }]);
  if (active === undefined) throw unknownTemplate(name, await listTemplateNames({ templates }, workspaceId));
  if (wanted === undefined || wanted === active.versionId) return active;
  const version = await templates.findVersion(workspaceId, active.templateId, wanted);
  if (version === undefined)
    throw new ServiceError("not_found", { message: "The template has no such version." });
  return { versionId: version.id, contentId: version.contentId };
}

/** The template that a campaign names. */
type CampaignSource = Pick<Campaign, "workspaceId" | "template" | "templateVersionId">;
