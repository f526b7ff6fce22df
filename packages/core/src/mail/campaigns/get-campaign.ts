import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { campaignId } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, viewOf } from "./campaign-view.ts";

/** Reads a campaign, with its recipients so far by outcome (platform.md P9). */
export const getCampaign = useCase({
  access: "campaigns:read",
  reads: true,
  input: z.strictObject({ campaignId }),
  run: async ({ storage, workspace, now }, { campaignId: id }): Promise<CampaignView> =>
    viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id), now),
});
