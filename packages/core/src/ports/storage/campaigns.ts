import type { Mailbox } from "../mailer.ts";
import type { Listing, Slice } from "./paging.ts";
import type { OldCampaigns } from "./retention.ts";

/** Where a campaign stands; every change from one to another is a conditional update (platform.md P9). */
export type CampaignStatus = "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled";

/** Why a campaign was paused. */
export type PausedReason =
  | "user"
  | "bounce_rate"
  | "complaint_rate"
  | "domain_failed"
  | "server_down"
  | "missed_schedule"
  | "restored_copy"
  | "template_data_missing";

/** How a campaign is sent: what its author chose. */
export interface CampaignPlan {
  /** Where answers go; empty: to the sender. */
  replyTo: Mailbox[];
  /** Further header fields of each e-mail. */
  headers: Record<string, string>;
  /** Tags of each e-mail. */
  tags: string[];
  /** Metadata of each e-mail. */
  metadata: Record<string, unknown>;
  /** The list that recipients can leave; `undefined` where they can't. */
  unsubscribeList: string | undefined;
  /** E-mails that go out in a second and in an hour at the most; `undefined` for no bound. */
  pace: { perSecond: number | undefined; perHour: number | undefined };
  /** E-mails of the first hour or day, and by how much each next one may have more; `undefined` for no ramp. */
  ramp: { first: number; factor: number; every: "hour" | "day" } | undefined;
  /** What becomes of a recipient whose values lack one of the template's: passed over, or the campaign pauses. */
  onMissing: "skip" | "stop";
  /** The shares of bounces and complaints at which it pauses by itself, from 0 to 1, once so many e-mails are gone. */
  autoPause: { bounceRate: number; complaintRate: number; after: number };
}

/** What a campaign is judged by: e-mails that were settled by a mail server, and of those what came back. */
export interface CampaignVerdict {
  /** E-mails that were settled by a mail server. */
  gone: number;
  /** Those of them that bounced. */
  bounced: number;
  /** Those of them that somebody complained about. */
  complained: number;
}

/** Mail to many, as far as it is told as it is kept. */
export interface CampaignSummary {
  /** The campaign's number. */
  id: number;
  /** What it is called. */
  name: string;
  /** Where it stands between draft and completed. */
  status: CampaignStatus;
  /** Why it is paused. */
  pausedReason: PausedReason | undefined;
  /** The template's name; `undefined` where the content was given as it stands. */
  template: string | undefined;
  /** The version that was asked for, and once started the one that is sent. */
  templateVersionId: string | undefined;
  /** Of those on its list, however many were added. */
  recipients: number;
  /** When it is to begin, ms since the epoch. */
  scheduledAt: number | undefined;
  /** When it began, ms since the epoch. */
  startedAt: number | undefined;
  /** When it ended, ms since the epoch. */
  completedAt: number | undefined;
  /** The user who made it; `undefined` for the operator. */
  createdBy: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** Mail to many, as it is kept. */
export interface Campaign extends CampaignSummary {
  /** The workspace's number. */
  workspaceId: number;
  /** Known from the start on; for a content that was given, from the beginning. */
  contentId: number | undefined;
  /** The stylesheets that it is sent with; `undefined` where there are none, or before its start. */
  stylesheetSetId: number | undefined;
  /** Its files, which each of its e-mails has; `undefined` for none. */
  attachmentSetId: number | undefined;
  /** As asked for; `undefined` for the workspace's own. */
  from: Mailbox | undefined;
  /** What its author chose. */
  plan: CampaignPlan;
  /** Every recipient up to this position has been gone through. */
  cursor: number;
  /** Ms since its start in which it was paused: its ramp does not go on meanwhile. */
  pausedMs: number;
  /** What had come of it when its people let it go on after a pause: only what comes since is judged. */
  judgedFrom: CampaignVerdict | undefined;
}

/** A campaign to be made, a draft. */
export type NewCampaign = Pick<
  Campaign,
  | "workspaceId"
  | "name"
  | "template"
  | "templateVersionId"
  | "contentId"
  | "attachmentSetId"
  | "from"
  | "plan"
  | "scheduledAt"
  | "createdBy"
  | "createdAt"
>;

/** What may change while nothing was sent yet. */
export type CampaignChanges = Partial<Omit<NewCampaign, "workspaceId" | "createdBy" | "createdAt">>;

/** What became of somebody on a list, as far as the campaign is concerned: the e-mail tells the rest. */
export type CampaignRecipientState = "pending" | "queued" | "skipped" | "cancelled";

/** Somebody on a campaign's list. */
export interface CampaignRecipient {
  /** The place on the list, from 1. */
  position: number;
  /** What the recipient is called; empty where nobody said. */
  name: string;
  /** The address as it was given. */
  address: string;
  /** Values for this recipient. */
  templateData: Record<string, unknown>;
  /** What became of the recipient, as far as the campaign is concerned. */
  state: CampaignRecipientState;
  /** Why it was skipped. */
  reason: string;
  /** The e-mail that went out. */
  emailId: string | undefined;
}

/**
 * What is counted of a campaign, in recipients. Of those `queued` each is `settled` in the end: `sent`, `failed`, `cancelled`, or
 * suppressed meanwhile. `skipped` got no e-mail, those suppressed before included; `withdrawn` were cancelled before they got one.
 * `invalid` and `duplicates` never came on the list: they were no addresses, or on it already.
 */
export const campaignCounters = [
  "queued",
  "settled",
  "sent",
  "failed",
  "bounced",
  "complained",
  "suppressed",
  "skipped",
  "withdrawn",
  "cancelled",
  "unsubscribed",
  "invalid",
  "duplicates",
] as const;
/** One of the counters. */
export type CampaignCounter = (typeof campaignCounters)[number];
/** All counters of a campaign. */
export type CampaignCounts = Record<CampaignCounter, number>;

/** Ms after which a running campaign is looked at again, whatever it waits for. */
export const maxLookAheadMs = 60_000;

/** A campaign in the hands of one feeder. The fence is never given out twice: what a feeder writes whose fence is old changes nothing. */
export interface TakenCampaign {
  /** The campaign as it stands. */
  campaign: Campaign;
  /** Proves whose it is: what is written under an older one changes nothing. */
  fence: number;
  /** Queue time at which the next e-mail may go out, by the pace. */
  nextSlotAt: number;
}

/** How far a feeder got. */
export interface CampaignProgress {
  /** Every recipient up to this position has been gone through. */
  cursor: number;
  /** Queue time at which the next e-mail may go out. */
  nextSlotAt: number;
  /** What became of recipients that were gone through. */
  marks: { position: number; state: "queued" | "skipped"; reason: string; emailId: string | undefined }[];
}

/** Mail to many: the campaigns, their recipients, and how far each is. All times are queue time but those of creation. */
export interface Campaigns {
  /** Keeps a draft. */
  insert(campaign: NewCampaign): Promise<Campaign>;
  /** `undefined` where there is none. */
  find(workspaceId: number, id: number): Promise<Campaign | undefined>;
  /** Keeps it from other writers until the transaction ends. */
  lock(workspaceId: number, id: number): Promise<Campaign | undefined>;
  /** Newest first. */
  list(
    filter: { workspaceId: number; status?: CampaignStatus | undefined; q?: string | undefined },
    slice: Slice,
  ): Promise<Listing<Campaign>>;
  /** Of all workspaces: what runs, and what is to start before a time; oldest first. */
  listGoing(startingBefore: number): Promise<Campaign[]>;
  /** Changes what is given of a campaign of which nothing was sent yet. */
  update(id: number, changes: CampaignChanges, now: number): Promise<void>;
  /** With its recipients. */
  delete(id: number): Promise<void>;
  /**
   * Brings a campaign from one of the statuses to another; whether it was in one. What it pins (`contentId`, …) is set along. A feeder
   * looks at it at `lookAt`, if it is to be looked at.
   */
  transition(
    id: number,
    from: readonly CampaignStatus[],
    to: {
      status: CampaignStatus;
      pausedReason?: PausedReason | undefined;
      lookAt: number | undefined;
      startedAt?: number;
      completedAt?: number;
      scheduledAt?: number;
    } & Partial<
      Pick<Campaign, "contentId" | "templateVersionId" | "stylesheetSetId" | "plan" | "judgedFrom">
    >,
    now: number,
  ): Promise<boolean>;
  /** Adds recipients behind the others, in their order; how many were not on the list yet. */
  addRecipients(
    id: number,
    recipients: Pick<CampaignRecipient, "name" | "address" | "templateData">[],
  ): Promise<number>;
  /** Removes so many from a list, those in front; how many. The campaign's number of recipients stays as it is. */
  removeRecipients(id: number, limit: number): Promise<number>;
  /** In the order of the list; `q` is looked for in name and address. */
  recipients(
    id: number,
    filter: { state?: CampaignRecipientState | undefined; q?: string | undefined },
    slice: Slice,
  ): Promise<Listing<CampaignRecipient>>;
  /** Those behind a position in their order, until there are `limit` or `maxBytes` of values; at least one, if there is any. */
  recipientsAfter(
    id: number,
    position: number,
    { limit, maxBytes }: { limit: number; maxBytes: number },
  ): Promise<CampaignRecipient[]>;
  /** What was counted of campaigns, by their numbers. */
  counts(ids: readonly number[]): Promise<Map<number, CampaignCounts>>;
  /** Adds to counters; processes that count at once wait for nobody. */
  count(changes: { campaignId: number; counter: CampaignCounter; by: number }[]): Promise<void>;
  /**
   * Leases to this worker, for `leaseMs`, the campaign whose look is due first and that no other feeder has leased. A time that only a
   * clock which was ahead can have written counts as past: the end of a lease more than two of its lengths ahead, or the look at a running
   * campaign more than `maxLookAheadMs` ahead.
   */
  take(worker: string, now: number, leaseMs: number): Promise<TakenCampaign | undefined>;
  /** Keeps a campaign in its feeder's hands until then; whether it was still there. */
  renew(id: number, fence: number, until: number): Promise<boolean>;
  /** When the next campaign can be taken; `undefined` where none is to be looked at. */
  nextLookAt(): Promise<number | undefined>;
  /** Notes how far a feeder got, if the campaign runs and is still in its hands; whether that was so. */
  advance(id: number, fence: number, progress: CampaignProgress): Promise<boolean>;
  /** Lets go of a campaign, to be looked at again at `lookAt`; `undefined` for never. */
  release(id: number, fence: number, lookAt: number | undefined): Promise<void>;
  /** Cancels up to so many recipients that were not gone through yet; how many. */
  cancelPending(id: number, limit: number): Promise<number>;
  /** Removes the values of recipients, and with the last of a campaign its content, of campaigns that ended before a time; how many rows. */
  forgetContents(old: OldCampaigns): Promise<number>;
  /** Removes recipients of campaigns that ended before a time; how many. The campaign and what was counted of it stay. */
  deleteRecipients(old: OldCampaigns): Promise<number>;
  /** Puts off, by the ms for which it was paused, all e-mails that a campaign has in the queue, and its next slot. */
  delay(id: number, route: string, ms: number): Promise<void>;
  /** E-mails of a route that wait, at most `limit`. */
  waiting(route: string, limit: number): Promise<string[]>;
}
