import type { ReadContext } from "../../calls/use-case.ts";
import type { AttachmentItem } from "../../ports/storage/attachments.ts";
import type { Campaign } from "../../ports/storage/campaigns.ts";
import type { Content } from "../../ports/storage/templates.ts";
import { checkSender } from "../submission/check-sender.ts";
import { findSending } from "../submission/find-sending.ts";
import { draftFor, findCampaignContent } from "./campaign-draft.ts";
import { campaignFileFaults, findCampaignFiles } from "./campaign-files.ts";

/** What a campaign says from its start on, whatever becomes of its template and stylesheets. */
export interface Pinned {
  content: Content;
  templateVersionId: string | undefined;
  stylesheetSetId: number | undefined;
}

/**
 * Finds what a campaign would be pinned to now. Throws what stands against its sender or its files, before anything goes out. `given` is
 * what it will say in place of what it says.
 */
export async function pinCampaign(
  context: ReadContext<"campaigns:write">,
  campaign: Campaign,
  given: { files?: readonly AttachmentItem[] | undefined; html?: string | undefined } = {},
): Promise<Pinned> {
  const [content, sending, items] = await Promise.all([
    findCampaignContent(context, campaign),
    findSending(context),
    given.files ?? findCampaignFiles(context.storage, campaign),
  ]);
  const to = { name: "", address: "nobody@example.com" };
  const draft = draftFor(context, sending, campaign, content, { to, templateData: {} });
  await checkSender(draft, context);
  const html = given.html ?? content.content.html;
  const [reason] = [...draft.reasons, ...campaignFileFaults(context, { html }, sending, items)];
  if (reason !== undefined) throw reason;
  return { ...content, stylesheetSetId: sending.stylesheetSetId };
}

/** The columns of what is pinned. */
export const pinnedColumns = ({ content, templateVersionId, stylesheetSetId }: Pinned) => ({
  contentId: content.id,
  ...(templateVersionId === undefined ? {} : { templateVersionId }),
  ...(stylesheetSetId === undefined ? {} : { stylesheetSetId }),
});
