import type { ReadContext } from "../../calls/use-case.ts";
import type { AttachmentItem, Campaign, Content } from "../../ports/storage.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import { checkSender } from "../submission/checks/check-sender.ts";
import { checkServer } from "../submission/checks/check-server.ts";
import { draftFor, findCampaignContent } from "./campaign-draft.ts";
import { campaignFileFaults, findCampaignFiles } from "./campaign-files.ts";

/** Content of a campaign from its start on, independent of later changes to its template and stylesheets. */
export interface Pinned {
  content: Content;
  templateVersionId: string | undefined;
  stylesheetSetId: number | undefined;
}

/**
 * Determines the content that a campaign would be pinned to now. Throws the first reason against its sender, its servers or
 * its files, before anything is sent. `given` replaces stored parts.
 */
export async function pinCampaign(
  context: ReadContext<"campaigns:write">,
  campaign: Campaign,
  given: { files?: readonly AttachmentItem[] | undefined; html?: string | undefined } = {},
): Promise<Pinned> {
  const [content, workspace, items] = await Promise.all([
    findCampaignContent(context, campaign),
    findSendingWorkspace(context),
    given.files ?? findCampaignFiles(context.storage, campaign),
  ]);
  const to = { name: "", address: "nobody@example.com" };
  const draft = draftFor(context, workspace, campaign, content, { to, templateData: {} });
  await checkSender(draft, context);
  await checkServer(draft, context);
  const html = given.html ?? content.content.html;
  const [reason] = [...draft.reasons, ...campaignFileFaults(context, { html }, workspace, items)];
  if (reason !== undefined) throw reason;
  return { ...content, stylesheetSetId: workspace.stylesheetSetId };
}

/** Returns the columns for a pinned content, and none for stylesheets where the workspace has none any more. */
export const pinnedColumns = ({ content, templateVersionId, stylesheetSetId }: Pinned) => ({
  contentId: content.id,
  ...(templateVersionId === undefined ? {} : { templateVersionId }),
  stylesheetSetId,
});
