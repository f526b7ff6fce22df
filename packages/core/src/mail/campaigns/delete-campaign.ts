import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Campaign } from "../../ports/storage.ts";
import { campaignId } from "./campaign-fields.ts";
import { findCampaignOrThrow } from "./campaign-view.ts";

/** Recipients removed in one transaction; other work can use the storage between two. */
const atOnce = 5_000;

/** Deletes a campaign that was never started, with its list of any length (platform.md P9). */
export const deleteCampaign = useCase({
  access: "campaigns:write",
  refusals: ["campaign_not_editable"],
  input: z.strictObject({ campaignId }),
  async prepare(context, { campaignId: id }): Promise<void> {
    const campaign = await findCampaignOrThrow(context.storage, context.workspace.id, id);
    assertDeletable(campaign);
    if (campaign.recipients > atOnce) await empty(context, campaign);
  },
  async run({ storage, workspace, emit }, { campaignId: id }): Promise<void> {
    const campaign = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    assertDeletable(campaign);
    await storage.campaigns.delete(id);
    emit("campaign.deleted", { metadata: { campaign_id: id, name: campaign.name } });
  },
});

/**
 * A campaign in deletion is cancelled without an end time. If the deletion is interrupted, it can be repeated, and the
 * campaign can't be started.
 */
function assertDeletable(campaign: Campaign): void {
  const { status, completedAt } = campaign;
  if (status === "draft" || (status === "cancelled" && completedAt === undefined)) return;
  throw notDeletable(campaign);
}

/** Makes the error for a started campaign, which can be cancelled as long as it is running. */
const notDeletable = ({ status }: Pick<Campaign, "status">): ServiceError => {
  const instead = ["scheduled", "running", "paused"].includes(status)
    ? "Cancel it instead: e-mails already sent stay in the log."
    : "E-mails already sent stay in the log.";
  return new ServiceError("campaign_not_editable", {
    message: `The campaign is ${status}: only a draft can be deleted. ${instead}`,
    details: { status },
  });
};

async function empty(
  { storage, workspace, runtime, piece }: ReadContext<"campaigns:write">,
  { id, status }: Campaign,
): Promise<void> {
  const to = { status: "cancelled", lookAt: undefined } as const;
  const now = runtime.queueClock.now();
  if (status === "draft" && !(await storage.campaigns.transition(id, ["draft"], to, now)))
    throw notDeletable(await findCampaignOrThrow(storage, workspace.id, id));
  const removeAfter = async (after: number) =>
    (await storage.campaigns.removeRecipients(id, atOnce, after)).next;
  for (let at: number | undefined = 0; at !== undefined; ) {
    const after: number = at;
    at = await piece(() => removeAfter(after));
  }
}
