import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { campaignRoute } from "../rules/routes.ts";
import { campaignId } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, stateConflict, viewOf } from "./campaign-view.ts";

/**
 * Pauses a running campaign: waiting e-mails stay in the queue, those on their way to a mail server are still sent
 * (platform.md P9).
 */
export const pauseCampaign = useCase({
  access: "campaigns:write",
  refusals: ["campaign_state_conflict"],
  input: z.strictObject({ campaignId }),
  async run({ storage, workspace, runtime, emit }, { campaignId: id }): Promise<CampaignView> {
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    const now = runtime.queueClock.now();
    const to = { status: "paused", pausedReason: "user", lookAt: undefined } as const;
    if (!(await storage.campaigns.transition(id, ["running"], to, now))) throw stateConflict(before);
    const route = campaignRoute(workspace.id, id);
    await storage.emailQueue.park(
      { route, owner: "campaign", until: undefined, reason: "the campaign is paused" },
      now,
    );
    emit("campaign.paused", { metadata: { campaign_id: id, name: before.name, reason: "user" } });
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id), now);
  },
});
