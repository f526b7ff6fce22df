import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { Campaign, Content, SendingWorkspace } from "../../ports/storage.ts";
import { createDraft, type DraftSource, type EmailDraft } from "../submission/email-draft.ts";
import { plainFields } from "../submission/plain-fields.ts";
import { findCampaignVersion } from "./find-campaign-version.ts";

/** Content of a campaign: its own, or its template's current one. */
export interface CampaignContent {
  content: Content;
  /** `undefined` if the content is the campaign's own. */
  templateVersionId: string | undefined;
}

/**
 * Returns the content that a campaign would have if it were started now; that of a started campaign is fixed. Throws
 * `not_found` if the content is gone.
 */
export async function findCampaignContent(
  { storage }: Pick<ReadContext, "storage">,
  campaign: Campaign,
): Promise<CampaignContent> {
  const { contentId, templateVersionId } = campaign;
  if (contentId !== undefined) {
    const content = await storage.contents.find(contentId);
    if (content === undefined) throw gone("The campaign's content was removed.");
    return { content, templateVersionId };
  }
  const { versionId, contentId: pinned } = await findCampaignVersion(storage, campaign);
  const content = await storage.contents.find(pinned);
  if (content === undefined) throw gone("The template has no such version.");
  return { content, templateVersionId: versionId };
}

const gone = (message: string): ServiceError => new ServiceError("not_found", { message });

/** Makes the draft for one recipient of a campaign, to be checked like any other. */
export function draftFor(
  context: Pick<ReadContext, "runtime">,
  workspace: SendingWorkspace,
  { template = "", from, plan }: Campaign,
  { content, templateVersionId }: CampaignContent,
  {
    to,
    templateData,
    isTest = false,
  }: { to: Mailbox; templateData: Record<string, unknown>; isTest?: boolean },
): EmailDraft {
  const source: DraftSource = {
    kind: "version",
    version: {
      templateName: template,
      versionId: templateVersionId ?? "",
      contentId: content.id,
      contentHash: content.hash,
    },
    data: templateData,
    allowMissing: isTest,
    subject: undefined,
  };
  const { replyTo, headers, tags, metadata } = plan;
  const { unsubscribeList: list } = plan;
  const fields = {
    ...plainFields([to]),
    from,
    replyTo,
    headers,
    tags,
    metadata,
    priority: "low" as const,
    tracking: plan.tracking,
    ...(list === undefined ? {} : { unsubscribe: { list } }),
  };
  return createDraft(context, workspace, source, fields, { isTest });
}
