import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { checkSender } from "../submission/check-sender.ts";
import { findSending } from "../submission/find-sending.ts";
import { draftFor, findCampaignContent } from "./campaign-draft.ts";
import { campaignId } from "./campaign-fields.ts";
import { type CampaignView, findCampaignOrThrow, stateConflict, viewOf } from "./campaign-view.ts";
import { campaignTidings } from "./tell-campaign.ts";

/**
 * Starts a draft: at its time, or at once. From here on it says what its template says now, whatever becomes of the template
 * (platform.md P9).
 */
export const startCampaign = useCase({
  access: "campaigns:write",
  input: z.strictObject({ campaignId }),
  prepare: async (context, { campaignId: id }) => {
    const campaign = await findCampaignOrThrow(context.storage, context.workspace.id, id);
    const [content, sending] = await Promise.all([
      findCampaignContent(context, campaign),
      findSending(context),
    ]);
    // The sender is looked at before anything goes out, not with the first mail.
    const to = { name: "", address: "nobody@example.com" };
    const draft = draftFor(context, sending, campaign, content, { to, templateData: {} });
    await checkSender(draft, context);
    const [reason] = draft.reasons;
    if (reason !== undefined) throw reason;
    return { ...content, stylesheetSetId: sending.stylesheetSetId };
  },
  async run(
    context,
    { campaignId: id },
    { content, templateVersionId, stylesheetSetId },
  ): Promise<CampaignView> {
    const { storage, workspace, runtime, caller, client, emit, record, wake } = context;
    const before = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    if (before.status !== "draft") throw stateConflict(before);
    if (before.recipients === 0) throw new ServiceError("campaign_empty");
    const now = runtime.queueClock.now();
    const waits = before.scheduledAt !== undefined && before.scheduledAt > now;
    const pinned = {
      contentId: content.id,
      ...(templateVersionId === undefined ? {} : { templateVersionId }),
      ...(stylesheetSetId === undefined ? {} : { stylesheetSetId }),
    };
    const to = waits
      ? ({ status: "scheduled", lookAt: before.scheduledAt } as const)
      : ({ status: "running", lookAt: now, startedAt: now } as const);
    if (!(await storage.campaigns.transition(id, ["draft"], { ...to, ...pinned }, now)))
      throw stateConflict(before);
    const origin = { caller, clientIp: client.ip, now: context.now };
    if (waits) emit("campaign.scheduled", { metadata: { campaign_id: id, name: before.name } });
    else record(await campaignTidings(runtime, storage, before, "campaign.started", origin));
    wake("campaigns");
    return viewOf(storage, await findCampaignOrThrow(storage, workspace.id, id));
  },
});
