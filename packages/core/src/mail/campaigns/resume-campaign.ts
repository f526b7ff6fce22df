import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { campaignRoute } from "../rules/routes.ts";
import { campaignId, onMissingField } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, stateConflict, viewOf } from "./campaign-view.ts";
import { campaignNotifications } from "./feeding/campaign-notifications.ts";
import { verdictOf } from "./feeding/pause-automatically.ts";

/**
 * Resumes a paused campaign: at its pace, as if no time had passed, and judged by bounces and complaints from now on
 * (platform.md P9).
 */
export const resumeCampaign = useCase({
  access: "campaigns:write",
  refusals: ["campaign_state_conflict"],
  input: z.strictObject({
    campaignId,
    onMissing: onMissingField
      .optional()
      .describe(
        "What to do from now on with recipients without a value for a placeholder. Default: as before.",
      ),
  }),
  async run(context, { campaignId: id, onMissing }): Promise<CampaignView> {
    const { storage, workspace, runtime, caller, client, emit, record, wake } = context;
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    const now = runtime.queueClock.now();
    const counts = (await storage.campaigns.counts([id])).get(id);
    const to = {
      status: "running",
      lookAt: now,
      ...(counts === undefined ? {} : { judgedFrom: verdictOf(counts) }),
      ...(onMissing === undefined ? {} : { plan: { ...before.plan, onMissing } }),
      ...(before.startedAt === undefined ? { startedAt: now } : {}),
    } as const;
    if (!(await storage.campaigns.transition(id, ["paused"], to, now))) throw stateConflict(before);
    const route = campaignRoute(workspace.id, id);
    // A paused campaign is never changed, so its last change is the pause. If the clock has moved behind that time, the
    // pause counts as 0 ms.
    const pausedMs = Math.max(0, now - before.updatedAt);
    if (before.startedAt !== undefined) await storage.campaigns.delay(id, route, pausedMs);
    await storage.emailQueue.unpark(route, ["campaign"]);
    emit("campaign.resumed", { metadata: { campaign_id: id, name: before.name } });
    // It was paused instead of begun.
    if (before.startedAt === undefined) {
      const origin = { caller, clientIp: client.ip, now: context.now };
      record(await campaignNotifications(runtime, storage, before, "campaign.started", origin));
    }
    wake("campaigns");
    wake("emails");
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id), now);
  },
});
