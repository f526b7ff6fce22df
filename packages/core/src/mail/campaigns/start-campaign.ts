import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { pinRefusals } from "../submission/send-refusals.ts";
import { findCampaignContent } from "./campaign-draft.ts";
import { campaignId } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, stateConflict, viewOf } from "./campaign-view.ts";
import { campaignNotifications } from "./feeding/campaign-notifications.ts";
import { pinCampaign, pinnedColumns } from "./pin-campaign.ts";

/**
 * Starts a draft: at its scheduled time, or at once. It uses its template's current content, and later changes to the
 * template don't affect it (platform.md P9).
 */
export const startCampaign = useCase({
  access: "campaigns:write",
  refusals: [...pinRefusals, "campaign_empty", "campaign_state_conflict"],
  input: z.strictObject({ campaignId }),
  prepare: async (context, { campaignId: id }) =>
    pinCampaign(context, await findCampaignOrThrow(context.storage, context.workspace.id, id)),
  async run(context, { campaignId: id }, { stylesheetSetId }): Promise<CampaignView> {
    const { storage, workspace, runtime, caller, client, emit, record, wake } = context;
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    if (before.status !== "draft") throw stateConflict(before);
    if (before.recipients === 0) throw new ServiceError("campaign_empty");
    // Read again: it may have been changed since the checks.
    const pinned = { ...(await findCampaignContent(context, before)), stylesheetSetId };
    const now = runtime.queueClock.now();
    const waits = before.scheduledAt !== undefined && before.scheduledAt > now;
    const to = waits
      ? ({ status: "scheduled", lookAt: before.scheduledAt } as const)
      : ({ status: "running", lookAt: now, startedAt: now } as const);
    if (!(await storage.campaigns.transition(id, ["draft"], { ...to, ...pinnedColumns(pinned) }, now)))
      throw stateConflict(before);
    const origin = { caller, clientIp: client.ip, now: context.now };
    if (waits) emit("campaign.scheduled", { metadata: { campaign_id: id, name: before.name } });
    else record(await campaignNotifications(runtime, storage, before, "campaign.started", origin));
    wake("campaigns");
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id), now);
  },
});
