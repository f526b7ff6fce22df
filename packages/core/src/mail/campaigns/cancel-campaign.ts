import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { campaignRoute } from "../rules/routes.ts";
import { campaignId } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, stateConflict, viewOf } from "./campaign-view.ts";

/**
 * Cancels a campaign for good: nothing more is sent, and waiting e-mails are cancelled in the background (platform.md
 * P9).
 */
export const cancelCampaign = useCase({
  access: "campaigns:write",
  refusals: ["campaign_state_conflict"],
  input: z.strictObject({ campaignId }),
  async run({ storage, workspace, runtime, emit, wake }, { campaignId: id }): Promise<CampaignView> {
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    const now = runtime.queueClock.now();
    const to = { status: "cancelled", lookAt: now, completedAt: now } as const;
    if (!(await storage.campaigns.transition(id, ["scheduled", "running", "paused"], to, now)))
      throw stateConflict(before);
    const route = campaignRoute(workspace.id, id);
    await storage.emailQueue.park(
      { route, owner: "campaign", until: undefined, reason: "the campaign is cancelled" },
      now,
    );
    emit("campaign.cancelled", { metadata: { campaign_id: id, name: before.name } });
    wake("campaigns");
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id), now);
  },
});
