import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { checkContent, mergeContent } from "../../content/templates/content-fields.ts";
import { fieldError } from "../../errors.ts";
import type { Campaign, NewContent, Repositories } from "../../ports/storage.ts";
import type { SubmittedFiles } from "../attachments/chosen-files.ts";
import { whenFieldsAreValid } from "../submission/send-fields.ts";
import { pinRefusals } from "../submission/send-refusals.ts";
import { campaignChanges } from "./campaign-changes.ts";
import { campaignId, hasContent, planFields, planOf, refineCampaign } from "./campaign-fields.ts";
import { recordCampaignFiles, storeCampaignFiles } from "./campaign-files.ts";
import {
  assertEditable,
  type CampaignView,
  findCampaignOrThrow,
  notEditable,
  viewOf,
} from "./campaign-view.ts";
import { findCampaignVersion } from "./find-campaign-version.ts";
import { type Pinned, pinCampaign, pinnedColumns } from "./pin-campaign.ts";

const input = z.strictObject({ campaignId, ...planFields }).superRefine(refineCampaign, whenFieldsAreValid);
type Input = z.output<typeof input>;

/** Data prepared for a change, before its transaction. */
export interface PreparedChange {
  /** New content of a scheduled campaign. */
  pinned: Pinned | undefined;
  /** `undefined` if the campaign keeps its files. */
  files: { kept: SubmittedFiles | undefined } | undefined;
}

/**
 * Replaces all fields of a campaign that has not begun; its list stays, and so do its content and its files if they are
 * left out. A scheduled campaign takes its template's current content, and begins at the time given here (platform.md
 * P9).
 */
export const updateCampaign = useCase({
  access: "campaigns:write",
  refusals: [...pinRefusals, "campaign_not_editable", "rate_limited"],
  input,
  async prepare(context, fields): Promise<PreparedChange> {
    if (saysItself(fields)) {
      mergeContent(fields);
      await checkContent(context, fields);
    }
    const standing = await findCampaignOrThrow(context.storage, context.workspace.id, fields.campaignId);
    assertEditable(standing);
    if (fields.template !== undefined)
      await findCampaignVersion(context.storage, {
        workspaceId: standing.workspaceId,
        ...templateOf(fields),
      });
    const files =
      fields.attachments === undefined ? undefined : { kept: await storeCampaignFiles(context, fields) };
    const pinned =
      standing.status === "scheduled" ? await pinAnew(context, standing, fields, files) : undefined;
    return { pinned, files };
  },
  async run({ storage, workspace, runtime, now, emit, wake }, fields, prepared): Promise<CampaignView> {
    const { campaignId: id, name, from, scheduledAt } = fields;
    const { pinned, files } = prepared;
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    // A campaign that was scheduled meanwhile was not prepared as a scheduled one.
    const isScheduled = before.status === "scheduled" && pinned !== undefined;
    if (before.status !== "draft" && !isScheduled) throw notEditable(before);
    const queueNow = runtime.queueClock.now();
    const own = saysItself(fields)
      ? { contentId: await putContent(storage, before, mergeContent(fields)) }
      : {};
    const changes = {
      ...{ name, from, plan: planOf(fields), scheduledAt },
      ...(hasContent(fields) && { ...templateOf(fields), contentId: undefined, ...own }),
      ...(files && { attachmentSetId: await putFiles(storage, before, { kept: files.kept, now }) }),
    };
    await storage.campaigns.update(id, changes, queueNow);
    if (isScheduled) {
      if (scheduledAt === undefined || scheduledAt <= queueNow)
        throw fieldError("scheduledAt", "must be in the future: the campaign is scheduled");
      const { stylesheetSetId } = pinned;
      // Content that is left out stays, even if it was changed since this was prepared.
      const says = hasContent(fields) ? { ...pinnedColumns(pinned), ...own } : { stylesheetSetId };
      const to = { status: "scheduled", lookAt: scheduledAt, ...says } as const;
      await storage.campaigns.transition(id, ["scheduled"], to, queueNow);
      wake("campaigns");
    }
    const told = campaignChanges(before, { ...before, ...changes });
    // A scheduled campaign may have taken its template's newer content.
    if (isScheduled || Object.keys(told).length > 0)
      emit("campaign.updated", { metadata: { campaign_id: id, name, added: 0, changes: told } });
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id), now);
  },
});

/** Stores a campaign's content: one that is equal to what it has is no change, though it may be stored twice. */
async function putContent(
  { contents }: Pick<Repositories, "contents">,
  { contentId: standing }: Campaign,
  content: NewContent,
): Promise<number> {
  const id = await contents.put(content);
  if (standing === undefined || id === standing) return id;
  const [one, other] = await contents.findMany([id, standing]);
  return one?.hash === other?.hash ? standing : id;
}

/** Records a campaign's files, in the same way. */
async function putFiles(
  storage: Repositories,
  { attachmentSetId: standing }: Campaign,
  { kept, now }: { kept: SubmittedFiles | undefined; now: number },
): Promise<number | undefined> {
  const id = await recordCampaignFiles(storage, kept, now);
  if (id === undefined || standing === undefined || id === standing) return id;
  const items = await storage.attachments.listItems([id, standing]);
  // A file may be stored twice, too.
  const [one, other] = [id, standing].map((set) => items.get(set)?.map(({ blobId: _, ...file }) => file));
  return isDeepStrictEqual(one, other) ? standing : id;
}

/** Whether the input has a content of the campaign's own. */
const saysItself = (fields: Input): boolean => hasContent(fields) && fields.template === undefined;

const templateOf = ({ template, templateVersionId }: Input) => ({ template, templateVersionId });

/** Determines the new content of a scheduled campaign; content in the input replaces the stored one. */
function pinAnew(
  context: ReadContext<"campaigns:write">,
  standing: Campaign,
  fields: Input,
  files: PreparedChange["files"],
): Promise<Pinned> {
  const isOwn = saysItself(fields);
  const said = hasContent(fields)
    ? { ...templateOf(fields), contentId: isOwn ? standing.contentId : undefined }
    : {};
  return pinCampaign(
    context,
    { ...standing, ...said, from: fields.from, plan: planOf(fields) },
    { files: files && (files.kept?.set.items ?? []), html: isOwn ? (fields.html ?? "") : undefined },
  );
}
