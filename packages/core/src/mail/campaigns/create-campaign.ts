import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { checkContent, mergeContent } from "../../content/templates/content-fields.ts";
import { whenFieldsAreValid } from "../submission/send-fields.ts";
import { toNewRecipients } from "./add-campaign-recipients.ts";
import { planFields, planOf, recipientsField, refineContent } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, viewOf } from "./campaign-view.ts";

/** Makes a campaign, a draft until it is started (platform.md P9). */
export const createCampaign = useCase({
  access: "campaigns:write",
  input: z
    .strictObject({ ...planFields, recipients: recipientsField.default([]) })
    .superRefine(refineContent, whenFieldsAreValid),
  async prepare(context, input) {
    if (input.template !== undefined) return;
    mergeContent(input);
    await checkContent(context, input);
  },
  async run({ storage, workspace, caller, now, emit }, input): Promise<CampaignView> {
    const { name, template, templateVersionId, from, scheduledAt, recipients } = input;
    const { id } = await storage.campaigns.insert({
      workspaceId: workspace.id,
      name,
      template,
      templateVersionId,
      contentId: template === undefined ? await storage.contents.put(mergeContent(input)) : undefined,
      from,
      plan: planOf(input),
      scheduledAt,
      createdBy: caller.kind === "user" ? caller.userId : undefined,
      createdAt: now,
    });
    await storage.campaigns.addRecipients(id, toNewRecipients(recipients));
    emit("campaign.created", { metadata: { campaign_id: id, name } });
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id));
  },
});
