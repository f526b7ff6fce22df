import { addNotifications } from "../../../calls/outbox.ts";
import type { CampaignStatus, Campaigns, TakenCampaign } from "../../../ports/storage.ts";
import { serviceOrigin } from "../../email-events.ts";
import { cancelWaiting } from "../../emails/cancel-waiting.ts";
import { campaignRoute } from "../../rules/routes.ts";
import { campaignNotifications } from "./campaign-notifications.ts";
import { type Fed, feedCampaign } from "./feed-campaign.ts";
import type { FeedingContext } from "./feeding-context.ts";
import { pauseAutomatically } from "./pause-automatically.ts";
import { CampaignLost } from "./record-steps.ts";

/** Ms after its scheduled time from which on a campaign is paused instead of begun. */
const latenessMs = 24 * 60 * 60 * 1000;
/** Maximum recipients withdrawn, and e-mails cancelled, in one piece. */
const pieces = { recipients: 1_000, emails: 200 };
const soonMs = 500;

interface AdvanceResult {
  count: number;
  lookAt: number | undefined;
}

/**
 * Does the next step for a campaign's status: begins, feeds, completes or clears it. Returns when to look again;
 * `undefined` for never.
 */
export async function advanceCampaign(context: FeedingContext, taken: TakenCampaign): Promise<AdvanceResult> {
  const { status } = taken.campaign;
  if (status === "scheduled") return await begin(context, taken);
  if (status === "cancelled") return await clear(context, taken);
  if (status !== "running") return { count: 0, lookAt: undefined };
  const fed = await feedOrLose(context, taken);
  if (fed !== undefined) return fed;
  await complete(context, taken);
  return { count: 1, lookAt: undefined };
}

/** Feeds the campaign; if it was paused or cancelled meanwhile, or a recipient erased, another look follows at once. */
async function feedOrLose(context: FeedingContext, taken: TakenCampaign): Promise<Fed | undefined> {
  try {
    return await feedCampaign(context, taken);
  } catch (error) {
    if (error instanceof CampaignLost) return { count: 0, lookAt: context.runtime.queueClock.now() };
    throw error;
  }
}

async function begin(context: FeedingContext, { campaign }: TakenCampaign): Promise<AdvanceResult> {
  const now = context.runtime.queueClock.now();
  if ((campaign.scheduledAt ?? now) < now - latenessMs) {
    await pauseAutomatically(context, campaign, "missed_schedule");
    return { count: 0, lookAt: undefined };
  }
  await goOn(context, campaign, "campaign.started", ["scheduled"], {
    status: "running",
    lookAt: now,
    startedAt: now,
  });
  // The next look is as planned by what stands now.
  return { count: 1, lookAt: undefined };
}

/** The condition on the status makes it happen exactly once, even if a process was killed after the last e-mail. */
const complete = (context: FeedingContext, { campaign }: TakenCampaign): Promise<void> =>
  goOn(context, campaign, "campaign.completed", ["running"], {
    status: "completed",
    lookAt: undefined,
    completedAt: context.runtime.queueClock.now(),
  });

async function goOn(
  { runtime, changePiece }: FeedingContext,
  campaign: TakenCampaign["campaign"],
  type: "campaign.started" | "campaign.completed",
  from: readonly CampaignStatus[],
  to: Parameters<Campaigns["transition"]>[2],
): Promise<void> {
  const { id, workspaceId, scheduledAt } = campaign;
  await changePiece(async (storage, outbox) => {
    const standing = await storage.campaigns.lock(workspaceId, id);
    // Somebody may just have put it off.
    if (standing === undefined || standing.scheduledAt !== scheduledAt) return;
    if (!(await storage.campaigns.transition(id, from, to, runtime.queueClock.now()))) return;
    const told = { ...serviceOrigin, now: runtime.now() };
    addNotifications(outbox, await campaignNotifications(runtime, storage, standing, type, told));
  });
}

/** Cancels, piece by piece, the recipients that a cancelled campaign had not processed and its waiting e-mails. */
async function clear(context: FeedingContext, { campaign }: TakenCampaign): Promise<AdvanceResult> {
  const { storage, runtime, changePiece } = context;
  const { id, workspaceId } = campaign;
  const now = runtime.queueClock.now();
  const route = campaignRoute(workspaceId, id);
  const withdrawn = await changePiece(async (within) => {
    const by = await within.campaigns.cancelPending(id, pieces.recipients);
    if (by > 0) await within.campaigns.count([{ campaignId: id, counter: "withdrawn", by }]);
    return by;
  });
  const waiting = await storage.campaigns.waiting(route, pieces.emails);
  const cancelled = waiting.length === 0 ? 0 : await cancelWaiting(context, waiting, serviceOrigin);
  const count = withdrawn + cancelled;
  if (count > 0) return { count, lookAt: now };
  // E-mails that a worker has claimed are either sent, or returned to the queue and cancelled then.
  const counts = (await storage.campaigns.counts([id])).get(id);
  if (counts !== undefined && counts.queued > counts.settled) return { count, lookAt: now + soonMs };
  await storage.emailQueue.unpark(route, ["campaign"]);
  return { count, lookAt: undefined };
}
