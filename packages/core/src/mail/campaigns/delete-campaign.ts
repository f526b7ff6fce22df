import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import type { Campaign } from "../../ports/storage/campaigns.ts";
import { campaignId } from "./campaign-fields.ts";
import { findCampaignOrThrow, notEditable } from "./campaign-view.ts";

/** Recipients that are removed in one transaction: the storage is anybody's again between two. */
const piece = 5_000;

/** Deletes a campaign that was never started, with its list, however long that is (platform.md P9). */
export const deleteCampaign = useCase({
  access: "campaigns:write",
  refusals: ["campaign_not_editable"],
  input: z.strictObject({ campaignId }),
  async prepare(context, { campaignId: id }): Promise<void> {
    const campaign = await findCampaignOrThrow(context.storage, context.workspace.id, id);
    assertDeletable(campaign);
    if (campaign.recipients > piece) await empty(context, campaign);
  },
  async run({ storage, workspace, emit }, { campaignId: id }): Promise<void> {
    const campaign = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    assertDeletable(campaign);
    await storage.campaigns.delete(id);
    emit("campaign.deleted", { metadata: { campaign_id: id, name: campaign.name } });
  },
});

/** One that is being deleted is cancelled and never ended: whatever interrupts that, it can be deleted again, and never be started. */
function assertDeletable(campaign: Campaign): void {
  const { status, completedAt } = campaign;
  if (status === "draft" || (status === "cancelled" && completedAt === undefined)) return;
  throw notEditable(campaign);
}

async function empty(
  { storage, workspace, runtime }: ReadContext<"campaigns:write">,
  { id, status }: Campaign,
): Promise<void> {
  const to = { status: "cancelled", lookAt: undefined } as const;
  const now = runtime.queueClock.now();
  if (status === "draft" && !(await storage.campaigns.transition(id, ["draft"], to, now)))
    throw notEditable(await findCampaignOrThrow(storage, workspace.id, id));
  while ((await storage.campaigns.removeRecipients(id, piece)) === piece);
}
