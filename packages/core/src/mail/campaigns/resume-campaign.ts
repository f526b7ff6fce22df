import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { campaignRoute } from "../rules/routes.ts";
import { campaignId } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, stateConflict, viewOf } from "./campaign-view.ts";

/** Lets a paused campaign go on from where it was (platform.md P9). */
export const resumeCampaign = useCase({
  access: "campaigns:write",
  input: z.strictObject({ campaignId }),
  async run({ storage, workspace, runtime, emit, wake }, { campaignId: id }): Promise<CampaignView> {
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    const now = runtime.queueClock.now();
    const to = {
      status: "running",
      lookAt: now,
      ...(before.startedAt === undefined ? { startedAt: now } : {}),
    } as const;
    if (!(await storage.campaigns.transition(id, ["paused"], to, now))) throw stateConflict(before);
    await storage.emailQueue.unpark(campaignRoute(workspace.id, id));
    emit("campaign.resumed", { metadata: { campaign_id: id, name: before.name } });
    wake("campaigns");
    wake("emails");
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id));
  },
});
