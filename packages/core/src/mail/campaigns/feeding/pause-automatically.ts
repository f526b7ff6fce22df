import { addNotifications } from "../../../calls/outbox.ts";
import type { ReadContext } from "../../../calls/use-case.ts";
import type { Campaign, CampaignCounts, CampaignVerdict, PausedReason } from "../../../ports/storage.ts";
import { serviceOrigin } from "../../email-events.ts";
import { campaignRoute } from "../../rules/routes.ts";
import { campaignNotifications } from "./campaign-notifications.ts";

/** Returns the reason to pause, if bounces or complaints exceed a rate (platform.md P9, `auto_pause`). */
export function reasonToPause(
  { plan, judgedFrom }: Pick<Campaign, "plan" | "judgedFrom">,
  counts: CampaignCounts,
): PausedReason | undefined {
  const { after, bounceRate, complaintRate } = plan.autoPause;
  const now = verdictOf(counts);
  const gone = now.gone - (judgedFrom?.gone ?? 0);
  if (gone < after) return undefined;
  if ((now.bounced - (judgedFrom?.bounced ?? 0)) / gone > bounceRate) return "bounce_rate";
  return (now.complained - (judgedFrom?.complained ?? 0)) / gone > complaintRate
    ? "complaint_rate"
    : undefined;
}

/** Counts and rates by which a campaign is judged. */
export const verdictOf = ({ sent, failed, bounced, complained }: CampaignCounts): CampaignVerdict => ({
  gone: sent + failed,
  bounced,
  complained,
});

/** Pauses a campaign that must not continue, and records the event; returns whether it was running or scheduled as found. */
export async function pauseAutomatically(
  { runtime, changePiece }: Pick<ReadContext, "runtime" | "changePiece">,
  campaign: Campaign,
  reason: PausedReason,
): Promise<boolean> {
  const { id, workspaceId } = campaign;
  const now = runtime.queueClock.now();
  const origin = { ...serviceOrigin, now: runtime.now() };
  return changePiece(async (storage, outbox) => {
    const standing = await storage.campaigns.lock(workspaceId, id);
    // Somebody may just have put it off.
    if (standing?.scheduledAt !== campaign.scheduledAt) return false;
    const to = { status: "paused", pausedReason: reason, lookAt: undefined } as const;
    if (!(await storage.campaigns.transition(id, ["scheduled", "running"], to, now))) return false;
    const route = campaignRoute(workspaceId, id);
    await storage.emailQueue.park(
      { route, owner: "campaign", until: undefined, reason: `the campaign is paused: ${reason}` },
      now,
    );
    const notifications = await campaignNotifications(runtime, storage, campaign, "campaign.paused", {
      ...origin,
      metadata: { reason },
    });
    addNotifications(outbox, notifications);
    return true;
  });
}
