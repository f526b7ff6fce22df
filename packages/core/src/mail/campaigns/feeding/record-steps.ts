import type {
  Campaign,
  CampaignProgress,
  Repositories,
  SendingWorkspace,
  TakenCampaign,
} from "../../../ports/storage.ts";
import { dayWindow, hourWindow } from "../../../workspaces/rules/quota-windows.ts";
import { acceptSubmissions } from "../../acceptance/accept-submissions.ts";
import type { SubmissionItem, SubmissionOutcome } from "../../acceptance/submission.ts";
import { campaignRoute } from "../../rules/routes.ts";
import { createItem, submissionOf } from "../../submission/create-submission.ts";
import type { EmailDraft } from "../../submission/email-draft.ts";
import type { FeedingContext } from "./feeding-context.ts";
import { rampBegan, slotsFor } from "./pace.ts";

/** Result for one recipient: an e-mail, or the reason why there is none. */
export interface Step {
  position: number;
  item: SubmissionItem | undefined;
  skipped: string;
}

/** Reasons of recipients that have another name for an e-mail with several. */
const reasonsOfOne: Readonly<Record<string, string>> = { all_recipients_suppressed: "recipient_suppressed" };

/** Makes the step for a checked draft, with its e-mail as part of the campaign. */
export function stepOf(
  context: FeedingContext,
  campaign: Campaign,
  draft: EmailDraft,
  { position, dueAt }: { position: number; dueAt: number },
): Step {
  const [reason] = draft.reasons;
  if (reason !== undefined || draft.from === undefined) {
    const code = reason?.code ?? "sender_missing";
    return { position, item: undefined, skipped: reasonsOfOne[code] ?? code };
  }
  const { email, ...tells } = createItem(context, draft, draft.from);
  const item = {
    ...tells,
    email: {
      ...email,
      stylesheetSetId: campaign.stylesheetSetId,
      campaignId: campaign.id,
      route: campaignRoute(campaign.workspaceId, campaign.id),
      dueAt,
    },
  };
  return { position, item, skipped: "" };
}

/** Thrown if this feeder no longer holds the campaign, or not all of the recipients are on its list any more. */
export class CampaignLost extends Error {
  override name = "CampaignLost";
}

interface Recorded {
  count: number;
  lookAt: number;
  outcome: Extract<SubmissionOutcome, { kind: "accepted" }> | undefined;
}

/** Records as many steps as the plan's limits allow; the rest waits for the next window. Throws `CampaignLost`. */
export async function recordSteps(
  context: FeedingContext,
  storage: Repositories,
  {
    taken,
    workspace,
    steps,
    now,
  }: { taken: TakenCampaign; workspace: SendingWorkspace; steps: Step[]; now: number },
): Promise<Recorded> {
  const { campaign, fence } = taken;
  const { going, outcome, lookAt } = await acceptWithinLimits(context, storage, { workspace, steps, now });
  const last = going.at(-1);
  if (last === undefined) return { count: 0, lookAt, outcome: undefined };
  const progress: CampaignProgress = {
    cursor: last.position,
    nextSlotAt: nextSlotAfter(taken, going, now),
    marks: going.map(({ position, item, skipped }) => ({
      position,
      state: item === undefined ? "skipped" : "queued",
      reason: skipped,
      emailId: item?.email.id,
    })),
  };
  // The campaign is paused, cancelled, or fed by another process, or a recipient was erased: the transaction has to be
  // rolled back.
  if (!(await storage.campaigns.advance(campaign.id, fence, progress))) throw new CampaignLost();
  const queued = going.filter(({ item }) => item !== undefined).length;
  const suppressed = going.filter(({ skipped }) => skipped === "recipient_suppressed").length;
  const by = { queued, skipped: going.length - queued, suppressed };
  const changes = (["queued", "skipped", "suppressed"] as const).map((counter) => ({
    campaignId: campaign.id,
    counter,
    by: by[counter],
  }));
  await storage.campaigns.count(changes.filter((change) => change.by > 0));
  return { count: going.length, lookAt, outcome };
}

/** What exceeds one window's limit may exceed the other's as well; and another send may take what was left. */
const mostTries = 3;

async function acceptWithinLimits(
  context: FeedingContext,
  storage: Repositories,
  { workspace, steps, now }: { workspace: SendingWorkspace; steps: Step[]; now: number },
): Promise<{ going: Step[]; outcome: Recorded["outcome"]; lookAt: number }> {
  let going = steps;
  let lookAt = now;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const outcome = await accept(context, storage, workspace, going);
    if (outcome === undefined || outcome.kind === "accepted") return { going, outcome, lookAt };
    if (outcome.kind !== "over_limit") throw new TypeError("a campaign's mails carry no idempotency key");
    const { window, limit, used } = outcome.usage;
    const { resetsAt } = (window === "hour" ? hourWindow : dayWindow)(context.now);
    // A duration: windows go by the service's clock, which need not be the queue's.
    lookAt = now + resetsAt - context.now + 1;
    going = upTo(going, Math.max(0, limit - used));
  }
  return { going: [], outcome: undefined, lookAt };
}

async function accept(
  context: FeedingContext,
  storage: Repositories,
  workspace: SendingWorkspace,
  steps: readonly Step[],
): Promise<SubmissionOutcome | undefined> {
  const items = steps.flatMap(({ item }) => item ?? []);
  if (items.length === 0) return undefined;
  const submission = submissionOf(context, { workspace }, items, {
    call: {},
    answerFor: () => "",
    isSensitive: false,
  });
  const [outcome] = await acceptSubmissions(storage, [submission]);
  return outcome;
}

/** Returns the steps up to the given number of e-mails, including skipped ones in between. */
function upTo(steps: readonly Step[], emails: number): Step[] {
  let left = emails;
  const end = steps.findIndex(({ item }) => {
    if (item !== undefined) left -= 1;
    return left < 0;
  });
  return steps.slice(0, end === -1 ? steps.length : end);
}

/** Computes the next slot; skipped recipients take none. */
function nextSlotAfter({ campaign, nextSlotAt }: TakenCampaign, going: readonly Step[], now: number): number {
  const wanted = going.filter(({ item }) => item !== undefined).length;
  const startedAt = rampBegan(campaign, now);
  const until = Number.POSITIVE_INFINITY;
  return slotsFor(campaign.plan, { nextSlotAt, startedAt, now, until, wanted }).nextSlotAt;
}
