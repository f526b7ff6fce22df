import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { checkContent, mergeContent } from "../../content/templates/content-fields.ts";
import { ServiceError } from "../../errors.ts";
import { whenFieldsAreValid } from "../submission/send-fields.ts";
import { campaignId, planFields, planOf, refineContent } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, viewOf } from "./campaign-view.ts";

/** Says a campaign anew, with all of its fields, while it has not begun; its list stays (platform.md P9). */
export const updateCampaign = useCase({
  access: "campaigns:write",
  input: z.strictObject({ campaignId, ...planFields }).superRefine(refineContent, whenFieldsAreValid),
  async prepare(context, input) {
    if (input.template !== undefined) return;
    mergeContent(input);
    await checkContent(context, input);
  },
  async run({ storage, workspace, runtime, now, emit }, input): Promise<CampaignView> {
    const { campaignId: id, name, template, templateVersionId, from, scheduledAt } = input;
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    // What a start has pinned would not be what is said here.
    if (before.status !== "draft")
      throw new ServiceError("campaign_not_editable", { details: { status: before.status } });
    const contentId = template === undefined ? await storage.contents.put(mergeContent(input)) : undefined;
    const changes = { name, template, templateVersionId, contentId, from, plan: planOf(input), scheduledAt };
    await storage.campaigns.update(id, changes, runtime.queueClock.now());
    emit("campaign.updated", { metadata: { campaign_id: id, name, added: 0 } });
    return viewOf(storage, { ...before, ...changes, updatedAt: now });
  },
});
