import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { checkContent, mergeContent } from "../../content/templates/content-fields.ts";
import type { SubmittedFiles } from "../attachments/chosen-files.ts";
import { whenFieldsAreValid } from "../submission/send-fields.ts";
import { fileRefusals } from "../submission/send-refusals.ts";
import { planFields, planOf, recipientsField, refineNewCampaign } from "./campaign-fields.ts";
import { recordCampaignFiles, storeCampaignFiles } from "./campaign-files.ts";
import { type CampaignView, findCampaignOrThrow, viewOf } from "./campaign-view.ts";
import { findCampaignVersion } from "./find-campaign-version.ts";
import { putOnList, toNewRecipients } from "./recipients/add-campaign-recipients.ts";

/**
 * Creates a campaign, which is a draft until it is started (platform.md P9). A template that it names must exist, here
 * and again at the start.
 */
export const createCampaign = useCase({
  access: "campaigns:write",
  refusals: [...fileRefusals, "not_found", "rate_limited"],
  input: z
    .strictObject({ ...planFields, recipients: recipientsField.default([]) })
    .superRefine(refineNewCampaign, whenFieldsAreValid),
  async prepare(context, input): Promise<SubmittedFiles | undefined> {
    const { template, templateVersionId } = input;
    if (template === undefined) {
      mergeContent(input);
      await checkContent(context, input);
    } else {
      const { storage, workspace } = context;
      await findCampaignVersion(storage, { workspaceId: workspace.id, template, templateVersionId });
    }
    return await storeCampaignFiles(context, input);
  },
  async run({ storage, workspace, caller, now, emit }, input, files): Promise<CampaignView> {
    const { name, template, templateVersionId, from, scheduledAt, recipients } = input;
    const { id } = await storage.campaigns.insert({
      workspaceId: workspace.id,
      name,
      template,
      templateVersionId,
      contentId: template === undefined ? await storage.contents.put(mergeContent(input)) : undefined,
      attachmentSetId: await recordCampaignFiles(storage, files, now),
      from,
      plan: planOf(input),
      scheduledAt,
      createdBy: caller.kind === "user" ? caller.userId : undefined,
      createdAt: now,
    });
    await putOnList(storage, id, toNewRecipients(recipients));
    emit("campaign.created", { metadata: { campaign_id: id, name } });
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id), now);
  },
});
