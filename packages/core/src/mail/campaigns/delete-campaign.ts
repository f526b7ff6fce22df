import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { campaignId } from "./campaign-fields.ts";
import { findCampaignOrThrow } from "./campaign-view.ts";

/** Deletes a campaign that was never started, with its list (platform.md P9). */
export const deleteCampaign = useCase({
  access: "campaigns:write",
  input: z.strictObject({ campaignId }),
  async run({ storage, workspace, emit }, { campaignId: id }): Promise<void> {
    const { status, name } = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    if (status !== "draft") throw new ServiceError("campaign_not_editable", { details: { status } });
    await storage.campaigns.delete(id);
    emit("campaign.deleted", { metadata: { campaign_id: id, name } });
  },
});
