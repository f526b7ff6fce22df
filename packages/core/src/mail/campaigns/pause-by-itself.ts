import { changeAndTell } from "../../calls/change-and-tell.ts";
import type { Campaign, CampaignCounts, PausedReason } from "../../ports/storage/campaigns.ts";
import type { Runtime } from "../../service/runtime.ts";
import { campaignRoute } from "../rules/routes.ts";
import { campaignTidings } from "./tell-campaign.ts";

/** Whether so much came back that the rest had better not go out (platform.md P9, `auto_pause`). */
export function reasonToPause(
  { plan }: Pick<Campaign, "plan">,
  { sent, failed, bounced, complained }: CampaignCounts,
): PausedReason | undefined {
  const { after, bounceRate, complaintRate } = plan.autoPause;
  const gone = sent + failed;
  if (gone < after) return undefined;
  if (bounced / gone > bounceRate) return "bounce_rate";
  return complained / gone > complaintRate ? "complaint_rate" : undefined;
}

/** Pauses a campaign that must not go on as it is, and says so; whether it was running or about to. */
export async function pauseByItself(
  runtime: Runtime,
  campaign: Campaign,
  reason: PausedReason,
): Promise<boolean> {
  const { id, workspaceId } = campaign;
  const now = runtime.queueClock.now();
  const origin = {
    caller: { kind: "operator", name: "Posthorn" },
    clientIp: "",
    now: runtime.now(),
  } as const;
  return changeAndTell(runtime, async (storage, outbox) => {
    const to = { status: "paused", pausedReason: reason, lookAt: undefined } as const;
    if (!(await storage.campaigns.transition(id, ["scheduled", "running"], to, now))) return false;
    const route = campaignRoute(workspaceId, id);
    await storage.emailQueue.park(
      { route, until: undefined, reason: `the campaign is paused: ${reason}` },
      now,
    );
    const tidings = await campaignTidings(runtime, storage, campaign, "campaign.paused", {
      ...origin,
      metadata: { reason },
    });
    outbox.events.push(...tidings.events);
    return true;
  });
}
