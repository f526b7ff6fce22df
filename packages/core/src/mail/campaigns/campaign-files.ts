import type { ReadContext } from "../../calls/use-case.ts";
import type { ServiceError } from "../../errors.ts";
import type {
  AttachmentItem,
  Campaign,
  NewContent,
  Repositories,
  SendingWorkspace,
} from "../../ports/storage.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import type { GivenAttachment } from "../attachments/attachment-fields.ts";
import { chooseFiles, storedFileFaults } from "../attachments/choose-files.ts";
import type { ChosenFiles, SubmittedFiles } from "../attachments/chosen-files.ts";
import { storeFiles } from "../attachments/store-files.ts";
import { storeSets } from "../attachments/store-sets.ts";

/** Files and content in a campaign's input. */
interface GivenFiles {
  attachments?: GivenAttachment[] | undefined;
  template?: string | undefined;
  html?: string | undefined;
  text?: string | undefined;
}

/**
 * Stores the contents of the files given for a campaign; `undefined` if there are none. Throws the first reason against
 * them. Whether a template, or a content that is not changed, has html for inline files is checked when the campaign is
 * pinned.
 */
export async function storeCampaignFiles(
  context: ReadContext<"campaigns:write">,
  { attachments = [], template, html, text }: GivenFiles,
): Promise<SubmittedFiles | undefined> {
  if (attachments.length === 0) return undefined;
  const isOwn = template === undefined && (html !== undefined || text !== undefined);
  const hasHtml = !isOwn || (html ?? "") !== "";
  const workspace = await findSendingWorkspace(context);
  const { reasons, ...files } = await chooseFiles(context, workspace, { attachments, hasHtml });
  const [reason] = reasons;
  if (reason !== undefined) throw reason;
  return await storeFiles(context, files, { isSensitive: false, workspaceId: context.workspace.id });
}

/** Stores a campaign's list of files in its transaction and returns the list's id. */
export async function recordCampaignFiles(
  storage: Repositories,
  files: SubmittedFiles | undefined,
  createdAt: number,
): Promise<number | undefined> {
  return files && (await storeSets(storage, [{ files, createdAt }])).get(files.set.digest);
}

/** Returns the files of campaigns, in order, by campaign id. */
export async function findFilesOf(
  { attachments }: Pick<Repositories, "attachments">,
  campaigns: readonly Pick<Campaign, "id" | "attachmentSetId">[],
): Promise<Map<number, AttachmentItem[]>> {
  const sets = campaigns.flatMap(({ attachmentSetId }) => attachmentSetId ?? []);
  const items = sets.length === 0 ? undefined : await attachments.listItems(sets);
  return new Map(campaigns.map(({ id, attachmentSetId: set = 0 }) => [id, items?.get(set) ?? []]));
}

/** Returns the files of one campaign, in order. */
export const findCampaignFiles = async (
  storage: Pick<Repositories, "attachments">,
  campaign: Pick<Campaign, "id" | "attachmentSetId">,
): Promise<AttachmentItem[]> => (await findFilesOf(storage, [campaign])).get(campaign.id) ?? [];

/** Returns the reasons against sending a campaign's files with its content. */
export const campaignFileFaults = (
  { config }: Pick<ReadContext, "config">,
  { html }: Pick<NewContent, "html">,
  { limits }: Pick<SendingWorkspace, "limits">,
  files: readonly AttachmentItem[],
): ServiceError[] => storedFileFaults(files, { hasHtml: html !== "", limits, config });

/** Converts stored files to the files of an e-mail. */
export const chosenOf = (items: readonly AttachmentItem[]): ChosenFiles => ({
  files: items.map(({ blobId: source, ...facts }) => ({ ...facts, source })),
  holdsInline: false,
  used: [],
});
