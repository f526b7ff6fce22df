import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { checkContent, mergeContent } from "../../content/templates/content-fields.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { Campaign } from "../../ports/storage/campaigns.ts";
import { whenFieldsAreValid } from "../submission/send-fields.ts";
import { campaignId, planFields, planOf, refineContent } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, viewOf } from "./campaign-view.ts";
import { type Pinned, pinCampaign, pinnedColumns } from "./pin-campaign.ts";

const input = z.strictObject({ campaignId, ...planFields }).superRefine(refineContent, whenFieldsAreValid);
type Input = z.output<typeof input>;

/**
 * Says a campaign anew, with all of its fields, while it has not begun; its list stays. One that is scheduled says from here on what its
 * template says now, and begins at the time that is said here (platform.md P9).
 */
export const updateCampaign = useCase({
  access: "campaigns:write",
  input,
  async prepare(context, fields): Promise<Pinned | undefined> {
    if (fields.template === undefined) {
      mergeContent(fields);
      await checkContent(context, fields);
    }
    const standing = await findCampaignOrThrow(context.storage, context.workspace.id, fields.campaignId);
    return standing.status === "scheduled" ? await pinAnew(context, standing, fields) : undefined;
  },
  async run({ storage, workspace, runtime, now, emit, wake }, fields, pinned): Promise<CampaignView> {
    const { campaignId: id, name, template, templateVersionId, from, scheduledAt } = fields;
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    // One that was started meanwhile was not looked at as one that is scheduled.
    const isScheduled = before.status === "scheduled" && pinned !== undefined;
    if (before.status !== "draft" && !isScheduled)
      throw new ServiceError("campaign_not_editable", { details: { status: before.status } });
    const queueNow = runtime.queueClock.now();
    const contentId = template === undefined ? await storage.contents.put(mergeContent(fields)) : undefined;
    const changes = { name, template, templateVersionId, contentId, from, plan: planOf(fields), scheduledAt };
    await storage.campaigns.update(id, changes, queueNow);
    if (isScheduled) {
      if (scheduledAt === undefined || scheduledAt <= queueNow)
        throw fieldError("scheduledAt", "must lie ahead: the campaign is scheduled");
      const columns = { ...pinnedColumns(pinned), ...(contentId === undefined ? {} : { contentId }) };
      const to = { status: "scheduled", lookAt: scheduledAt, ...columns } as const;
      await storage.campaigns.transition(id, ["scheduled"], to, queueNow);
      wake("campaigns");
    }
    emit("campaign.updated", { metadata: { campaign_id: id, name, added: 0 } });
    if (isScheduled) return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id));
    return viewOf(storage, { ...before, ...changes, updatedAt: now });
  },
});

/** What a scheduled campaign is to say from now on. What is its own is put in place of the content that it had. */
function pinAnew(
  context: ReadContext<"campaigns:write">,
  standing: Campaign,
  { template, templateVersionId, from, ...fields }: Input,
): Promise<Pinned> {
  const contentId = template === undefined ? standing.contentId : undefined;
  return pinCampaign(context, {
    ...standing,
    ...{ template, templateVersionId, contentId, from },
    plan: planOf({ template, templateVersionId, from, ...fields }),
  });
}
