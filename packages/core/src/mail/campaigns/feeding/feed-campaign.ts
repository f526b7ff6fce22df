import type { Campaign, CampaignRecipient, SendingWorkspace, TakenCampaign } from "../../../ports/storage.ts";
import { topicsOf } from "../../acceptance/accept-submissions.ts";
import { isDeleting } from "../../acceptance/find-sending-workspace.ts";
import { storeFiles } from "../../attachments/store-files.ts";
import { campaignRoute } from "../../rules/routes.ts";
import { checkDraft } from "../../submission/checks.ts";
import type { EmailDraft } from "../../submission/email-draft.ts";
import { type CampaignContent, draftFor, findCampaignContent } from "../campaign-draft.ts";
import { chosenOf, findCampaignFiles } from "../campaign-files.ts";
import type { FeedingContext } from "./feeding-context.ts";
import { believedSlot, rampBegan, slotsFor } from "./pace.ts";
import { pauseAutomatically, reasonToPause } from "./pause-automatically.ts";
import { recordSteps, stepOf } from "./record-steps.ts";

/** Maximum recipients of one transaction, and maximum bytes of their values. */
const chunk = { limit: 500, maxBytes: 8 * 1024 * 1024 };
/** Maximum e-mails of one campaign in the queue. */
const maxWaiting = 5_000;
/** Maximum ms for which e-mails are queued ahead of the campaign's pace. */
const aheadMs = 60_000;
/** Minimum ms until the next look at a campaign whose queue is full or whose last e-mails are still waiting. */
const soonMs = 500;

/** Result of one look at a campaign. */
export interface Fed {
  /** Number of processed recipients. */
  count: number;
  /** Time of the next look, ms since the epoch. */
  lookAt: number;
}

/**
 * Queues the next recipients of a running campaign. E-mails, marks, charges and the cursor are written in one
 * transaction, so that a crash neither omits nor repeats a recipient. Returns `undefined` once all recipients are
 * processed and their e-mails settled.
 */
export async function feedCampaign(context: FeedingContext, taken: TakenCampaign): Promise<Fed | undefined> {
  const { campaign } = taken;
  const { storage, runtime } = context;
  const now = runtime.queueClock.now();
  const counts = (await storage.campaigns.counts([campaign.id])).get(campaign.id);
  if (counts === undefined) return { count: 0, lookAt: now + soonMs };
  const pause = reasonToPause(campaign, counts);
  if (pause !== undefined) {
    await pauseAutomatically(context, campaign, pause);
    return { count: 0, lookAt: now };
  }
  const waiting = counts.queued - counts.settled;
  const room = Math.min(chunk.limit, maxWaiting - waiting);
  if (room <= 0) return await waitForQueued(context, campaign, now);
  const recipients = await storage.campaigns.recipientsAfter(campaign.id, campaign.cursor, {
    ...chunk,
    limit: room,
  });
  if (recipients.length === 0) return waiting > 0 ? await waitForQueued(context, campaign, now) : undefined;
  const startedAt = rampBegan(campaign, now);
  const first = believedSlot(campaign.plan, { nextSlotAt: taken.nextSlotAt, startedAt, now, aheadMs });
  const { slots, nextSlotAt } = slotsFor(campaign.plan, {
    nextSlotAt: first,
    startedAt,
    now,
    until: now + aheadMs,
    wanted: recipients.length,
  });
  if (slots.length === 0) return { count: 0, lookAt: Math.max(now + soonMs, nextSlotAt - aheadMs) };
  return await queueNext(
    context,
    { ...taken, nextSlotAt: first },
    { recipients: recipients.slice(0, slots.length), slots, now },
  );
}

/**
 * Waits until something of the campaign has ended or can be sent again: its last e-mails may be tried for two days, and a look
 * each half second at each such campaign leaves no time to feed the others.
 */
async function waitForQueued(
  { storage }: FeedingContext,
  { id, workspaceId }: Campaign,
  now: number,
): Promise<Fed> {
  const route = campaignRoute(workspaceId, id);
  const opensAt = (await storage.emailQueue.opensAt({ route, lane: 2 })) ?? now;
  return { count: 0, lookAt: Math.max(now + soonMs, opensAt) };
}

interface Next {
  recipients: CampaignRecipient[];
  slots: number[];
  now: number;
}

async function queueNext(
  context: FeedingContext,
  taken: TakenCampaign,
  { recipients, slots, now }: Next,
): Promise<Fed> {
  const { campaign } = taken;
  const { storage, outside, runtime } = context;
  const [content, workspace, files] = await Promise.all([
    findCampaignContent(context, campaign),
    context.acceptance.lookups.findSendingWorkspace(campaign.workspaceId),
    findCampaignFiles(storage, campaign),
  ]);
  if (workspace === undefined || isDeleting(workspace, now)) return { count: 0, lookAt: now + soonMs };
  const drafts = await draftAll(context, campaign, { content, workspace, recipients });
  // All drafts share one list of files, which is stored and looked up once per transaction.
  const keptFiles = await storeFiles(context, chosenOf(files), {
    isSensitive: false,
    workspaceId: campaign.workspaceId,
  });
  for (const draft of drafts) draft.keptFiles = keptFiles;
  const obstacle = obstacleOf(campaign, drafts);
  if (obstacle?.at === 0) {
    await pauseAutomatically(context, campaign, obstacle.reason);
    return { count: 0, lookAt: now };
  }
  let place = 0;
  const steps = drafts.slice(0, obstacle?.at).map((draft, index) => {
    const position = recipients[index]?.position ?? 0;
    const step = stepOf(context, campaign, draft, { position, dueAt: slots[place] ?? now });
    // Skipped recipients take no slot.
    if (step.item !== undefined) place += 1;
    return step;
  });
  const done = await outside.transaction((within) =>
    recordSteps(context, within, { taken, workspace, steps, now }),
  );
  if (done.outcome !== undefined) {
    runtime.tell(done.outcome.items.flatMap((item) => item.events));
    const topics = topicsOf([done.outcome]);
    if (topics.length > 0) await outside.notify(topics);
  }
  return { count: done.count, lookAt: done.lookAt };
}

/** Codes of reasons that concern the whole campaign rather than one recipient: nothing of it can be sent for now. */
const blocking: ReadonlySet<string> = new Set([
  "email_not_verified",
  "workspace_not_trusted",
  "sender_missing",
  "domain_not_verified",
  "no_smtp_server",
]);

/** Those of them that a verified domain ends. */
const ofDomain: ReadonlySet<string> = new Set(["workspace_not_trusted", "domain_not_verified"]);

/** Returns the position of the first draft at which the campaign has to stop, and the reason. */
function obstacleOf({ plan }: Campaign, drafts: readonly EmailDraft[]) {
  for (const [at, { reasons }] of drafts.entries()) {
    const codes = reasons.map(({ code }) => code);
    if (codes.some((code) => blocking.has(code)))
      return {
        at,
        reason: codes.some((code) => ofDomain.has(code)) ? "domain_failed" : "server_down",
      } as const;
    if (plan.onMissing === "stop" && codes.includes("template_data_missing"))
      return { at, reason: "template_data_missing" } as const;
  }
  return undefined;
}

async function draftAll(
  context: FeedingContext,
  campaign: Campaign,
  {
    content,
    workspace,
    recipients,
  }: { content: CampaignContent; workspace: SendingWorkspace; recipients: CampaignRecipient[] },
): Promise<EmailDraft[]> {
  const drafts = recipients.map(({ name, address, templateData }) =>
    draftFor(context, workspace, campaign, content, { to: { name, address }, templateData }),
  );
  await Promise.all(drafts.map((draft) => checkDraft(draft, context)));
  return drafts;
}
