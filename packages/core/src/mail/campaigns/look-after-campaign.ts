import { changeAndTell } from "../../calls/change-and-tell.ts";
import { addTidings } from "../../calls/outbox.ts";
import type { CampaignStatus, TakenCampaign } from "../../ports/storage/campaigns.ts";
import type { Runtime } from "../../service/runtime.ts";
import { cancelWaiting } from "../emails/cancel-waiting.ts";
import { campaignRoute } from "../rules/routes.ts";
import { type Fed, feedCampaign } from "./feed-campaign.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import { CampaignLost } from "./record-steps.ts";
import { campaignTidings } from "./tell-campaign.ts";

const origin = { caller: { kind: "operator", name: "Posthorn" }, clientIp: "" } as const;
/** Ms after its time from which on a campaign is not begun without being asked again. */
const latenessMs = 24 * 60 * 60 * 1000;
/** Recipients that are withdrawn in one go, and e-mails that are cancelled. */
const pieces = { recipients: 1_000, emails: 200 };
const soonMs = 500;

interface Looked {
  count: number;
  lookAt: number | undefined;
}

/** Does what a campaign's state asks for: begins, feeds, completes or clears it. When to look again; `undefined` for never. */
export async function lookAfterCampaign(runtime: Runtime, taken: TakenCampaign): Promise<Looked> {
  const { status } = taken.campaign;
  if (status === "scheduled") return await begin(runtime, taken);
  if (status === "cancelled") return await clear(runtime, taken);
  if (status !== "running") return { count: 0, lookAt: undefined };
  const fed = await feedOrLose(runtime, taken);
  if (fed !== undefined) return fed;
  await complete(runtime, taken);
  return { count: 1, lookAt: undefined };
}

/** One that was paused or cancelled meanwhile is looked at by what it is now. */
async function feedOrLose(runtime: Runtime, taken: TakenCampaign): Promise<Fed | undefined> {
  try {
    return await feedCampaign(runtime, taken);
  } catch (error) {
    if (error instanceof CampaignLost) return { count: 0, lookAt: runtime.queueClock.now() };
    throw error;
  }
}

async function begin(runtime: Runtime, { campaign }: TakenCampaign): Promise<Looked> {
  const now = runtime.queueClock.now();
  if ((campaign.scheduledAt ?? now) < now - latenessMs) {
    await pauseByItself(runtime, campaign, "missed_schedule");
    return { count: 0, lookAt: now };
  }
  await goOn(runtime, campaign, "campaign.started", ["scheduled"], {
    status: "running",
    lookAt: now,
    startedAt: now,
  });
  return { count: 1, lookAt: now };
}

/** Exactly once, by the condition: also where a process was killed between the last mail and this. */
const complete = (runtime: Runtime, { campaign }: TakenCampaign): Promise<void> =>
  goOn(runtime, campaign, "campaign.completed", ["running"], {
    status: "completed",
    lookAt: undefined,
    completedAt: runtime.queueClock.now(),
  });

async function goOn(
  runtime: Runtime,
  campaign: TakenCampaign["campaign"],
  type: "campaign.started" | "campaign.completed",
  from: readonly CampaignStatus[],
  to: Parameters<Runtime["storage"]["campaigns"]["transition"]>[2],
): Promise<void> {
  await changeAndTell(runtime, async (storage, outbox) => {
    if (!(await storage.campaigns.transition(campaign.id, from, to, runtime.queueClock.now()))) return;
    const told = { ...origin, now: runtime.now() };
    addTidings(outbox, await campaignTidings(runtime, storage, campaign, type, told));
  });
}

/** Cancels what a cancelled campaign left behind, piece by piece: those it had not come to, and the mails that wait. */
async function clear(runtime: Runtime, { campaign }: TakenCampaign): Promise<Looked> {
  const { id, workspaceId } = campaign;
  const now = runtime.queueClock.now();
  const route = campaignRoute(workspaceId, id);
  const withdrawn = await runtime.storage.transaction(async (storage) => {
    const by = await storage.campaigns.cancelPending(id, pieces.recipients);
    if (by > 0) await storage.campaigns.count([{ campaignId: id, counter: "withdrawn", by }]);
    return by;
  });
  const waiting = await runtime.storage.campaigns.waiting(route, pieces.emails);
  const cancelled = waiting.length === 0 ? 0 : await cancelWaiting(runtime, workspaceId, waiting, origin);
  const count = withdrawn + cancelled;
  if (count > 0) return { count, lookAt: now };
  // What a worker has in hand is either sent, or put back and cancelled then.
  const counts = (await runtime.storage.campaigns.counts([id])).get(id);
  if (counts !== undefined && counts.queued > counts.settled) return { count, lookAt: now + soonMs };
  await runtime.storage.emailQueue.unpark(route);
  return { count, lookAt: undefined };
}
