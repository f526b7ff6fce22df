import type { Mailbox } from "../mailer.ts";
import type {
  CampaignRecipient,
  CampaignRecipientFilter,
  ListedCampaignRecipient,
} from "./campaign-recipients.ts";
import type { Listing, Slice } from "./paging.ts";
import type { OldCampaigns, RecipientPlace, Removal } from "./retention.ts";

/** Status of a campaign; each change is a conditional update (platform.md P9). */
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

/** Settings of a campaign, chosen by its author. */
export interface CampaignPlan {
  /** Address for answers; if empty, the sender's. */
  replyTo: Mailbox[];
  /** Further header fields of each e-mail. */
  headers: Record<string, string>;
  /** Tags of each e-mail. */
  tags: string[];
  /** Metadata of each e-mail. */
  metadata: Record<string, unknown>;
  /** The list that recipients can unsubscribe from; `undefined` if they can't. */
  unsubscribeList: string | undefined;
  /** What is tracked; what it leaves open, the workspace's settings decide when an e-mail is queued. */
  tracking?: { opens?: boolean | undefined; clicks?: boolean | undefined } | undefined;
  /** Maximum e-mails per second and per hour; `undefined` for no limit. */
  pace: { perSecond: number | undefined; perHour: number | undefined };
  /**
   * E-mails of the first hour or day, and the factor by which each following one may have more; `undefined` for no
   * ramp.
   */
  ramp: { first: number; factor: number; every: "hour" | "day" } | undefined;
  /**
   * What happens if a recipient's values lack one of the template's: the recipient is skipped, or the campaign pauses.
   */
  onMissing: "skip" | "stop";
  /**
   * Shares of bounces and complaints, from 0 to 1, at which it pauses automatically, after a minimum number of sent
   * e-mails.
   */
  autoPause: { bounceRate: number; complaintRate: number; after: number };
}

/** Counts that decide on an automatic pause. */
export interface CampaignVerdict {
  /** E-mails that a mail server accepted or refused for good. */
  gone: number;
  /** E-mails among them that bounced. */
  bounced: number;
  /** E-mails among them with a complaint. */
  complained: number;
}

/** The stored fields of a campaign that its view contains. */
export interface CampaignSummary {
  /** The campaign's number. */
  id: number;
  /** The name. */
  name: string;
  /** Its status. */
  status: CampaignStatus;
  /** Reason for the pause. */
  pausedReason: PausedReason | undefined;
  /** The template's name; `undefined` if the content was given directly. */
  template: string | undefined;
  /** The requested version; after the start, the version that is sent. */
  templateVersionId: string | undefined;
  /** Number of recipients on its list. */
  recipients: number;
  /** When it is scheduled to begin, ms since the epoch. */
  scheduledAt: number | undefined;
  /** When it began, ms since the epoch. */
  startedAt: number | undefined;
  /** When it ended, ms since the epoch. */
  completedAt: number | undefined;
  /** Number of the user who created it; `undefined` for the operator. */
  createdBy: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A stored campaign. */
export interface Campaign extends CampaignSummary {
  /** The workspace's number. */
  workspaceId: number;
  /** Id of the content: set at the start, or from the beginning if the content was given directly. */
  contentId: number | undefined;
  /** Its stylesheets; `undefined` before the start, or if there are none. */
  stylesheetSetId: number | undefined;
  /** Its files, which are attached to each e-mail; `undefined` for none. */
  attachmentSetId: number | undefined;
  /** The requested sender; `undefined` for the workspace's default. */
  from: Mailbox | undefined;
  /** Settings chosen by its author. */
  plan: CampaignPlan;
  /** Recipients up to this position have been processed. */
  cursor: number;
  /** Ms since its start during which it was paused. They do not count for its ramp. */
  pausedMs: number;
  /** The counts when it was last resumed: only later results count for an automatic pause. */
  judgedFrom: CampaignVerdict | undefined;
}

/** A campaign to insert, in the state `draft`. */
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

/** The fields of a campaign that its author chooses, and may change as long as nothing was sent. */
export type ChosenCampaignFields = Omit<NewCampaign, "workspaceId" | "createdBy" | "createdAt">;

/** A change of such fields. */
export type CampaignChanges = Partial<ChosenCampaignFields>;

/**
 * Counters of a campaign, in recipients. Each `queued` one ends as `sent`, `failed`, `cancelled`, or suppressed at
 * delivery. `skipped` got no e-mail, including those suppressed before; `withdrawn` were cancelled before they got one.
 * `invalid` and `duplicates` never came on the list, as they had no valid address or were on it already.
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
  "opened",
  "clicked",
  "unsubscribed",
  "invalid",
  "duplicates",
] as const;
/** One of the counters. */
export type CampaignCounter = (typeof campaignCounters)[number];
/** All counters of a campaign. */
export type CampaignCounts = Record<CampaignCounter, number>;

/** Maximum ms between two looks at a running campaign. */
export const maxLookAheadMs = 60_000;

/** A campaign leased to one feeder. Fences are unique: writes with an old fence change nothing. */
export interface TakenCampaign {
  /** The campaign. */
  campaign: Campaign;
  /** Identifies the lease: writes with an old fence change nothing. */
  fence: number;
  /** Queue time at which the next e-mail may be sent, by the pace. */
  nextSlotAt: number;
}

/** Progress of a feeder. */
export interface CampaignProgress {
  /** Recipients up to this position have been processed. */
  cursor: number;
  /** Queue time at which the next e-mail may be sent. */
  nextSlotAt: number;
  /** New states of the processed recipients. */
  marks: { position: number; state: "queued" | "skipped"; reason: string; emailId: string | undefined }[];
}

/** Campaigns, their recipients, and their progress. All times but those of creation are queue time. */
export interface Campaigns {
  /** Inserts a draft. */
  insert(campaign: NewCampaign): Promise<Campaign>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: number): Promise<Campaign | undefined>;
  /** Locks it for other writers until the transaction ends. */
  lock(workspaceId: number, id: number): Promise<Campaign | undefined>;
  /** Lists them, newest first. */
  list(
    filter: { workspaceId: number; status?: CampaignStatus | undefined; q?: string | undefined },
    slice: Slice,
  ): Promise<Listing<Campaign>>;
  /** Lists the campaigns of all workspaces that run, or are to start before a time; oldest first. */
  listGoing(startingBefore: number): Promise<Campaign[]>;
  /** Changes the given fields of a campaign of which nothing was sent yet. */
  update(id: number, changes: CampaignChanges, now: number): Promise<void>;
  /** Deletes it with its recipients. */
  delete(id: number): Promise<void>;
  /**
   * Changes the status from one of the given ones to another, and sets the pinned fields (`contentId`, …) that are
   * given; a given `stylesheetSetId` of `undefined` clears it. Returns whether it was in one of them. A feeder looks at it
   * at `lookAt`, if that is set.
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
      stylesheetSetId?: number | undefined;
    } & Partial<Pick<Campaign, "contentId" | "templateVersionId" | "plan" | "judgedFrom">>,
    now: number,
  ): Promise<boolean>;
  /** Appends recipients to the list, in their order. Returns the number of those that were not on it yet. */
  addRecipients(
    id: number,
    recipients: Pick<CampaignRecipient, "name" | "address" | "templateData">[],
  ): Promise<number>;
  /**
   * Removes up to `limit` recipients of a list, in order, from where the previous piece ended. The campaign's number of
   * recipients does not change.
   */
  removeRecipients(id: number, limit: number, after: number): Promise<Removal>;
  /** Lists recipients in the order of the list. */
  recipients(
    campaign: Pick<Campaign, "id" | "workspaceId">,
    filter: CampaignRecipientFilter,
    slice: Slice,
  ): Promise<Listing<ListedCampaignRecipient>>;
  /**
   * Lists recipients after a position, in order, up to `limit` or `maxBytes` of values; at least one, if there is any.
   */
  recipientsAfter(
    id: number,
    position: number,
    { limit, maxBytes }: { limit: number; maxBytes: number },
  ): Promise<CampaignRecipient[]>;
  /** Returns the counts of campaigns by their numbers. */
  counts(ids: readonly number[]): Promise<Map<number, CampaignCounts>>;
  /** Adds to counters. Concurrent processes do not wait for each other. */
  count(changes: { campaignId: number; counter: CampaignCounter; by: number }[]): Promise<void>;
  /**
   * Leases to this worker, for `leaseMs`, the campaign whose look is due first, other than those of `except`, and that no
   * other feeder has leased.
   * Times that only a clock ahead of `now` can have written count as past: the end of a lease more than two of its
   * lengths ahead, or the look at a running campaign more than `maxLookAheadMs` ahead.
   */
  take(
    worker: string,
    now: number,
    leaseMs: number,
    except?: readonly number[],
  ): Promise<TakenCampaign | undefined>;
  /** Extends a feeder's lease on a campaign until a time. Returns whether it was still valid. */
  renew(id: number, fence: number, until: number): Promise<boolean>;
  /** Returns when the next campaign can be leased; `undefined` if none is to be looked at. */
  nextLookAt(): Promise<number | undefined>;
  /**
   * Stores a feeder's progress. Returns false, and the caller must roll back, if the campaign does not run, the lease is
   * not valid, or a marked recipient is no longer on the list.
   */
  advance(id: number, fence: number, progress: CampaignProgress): Promise<boolean>;
  /**
   * Ends the lease on a campaign, to be looked at again at `lookAt`; `undefined` for never. If its status is not the one
   * that it was taken with any more, it is looked at when that change says.
   */
  release(id: number, fence: number, lookAt: number | undefined, takenAs: CampaignStatus): Promise<void>;
  /** Cancels up to `limit` recipients that were not processed yet. Returns their number. */
  cancelPending(id: number, limit: number): Promise<number>;
  /**
   * Removes the values of recipients, and with the last ones the content, of campaigns that ended before a time and are
   * not looked at any more. Returns the number of rows.
   */
  forgetContents(old: OldCampaigns): Promise<number>;
  /**
   * Removes recipients of such campaigns, from where the previous piece ended. The campaign and its counts stay.
   */
  deleteRecipients(old: OldCampaigns, from?: RecipientPlace): Promise<Removal<RecipientPlace>>;
  /** Postpones all queued e-mails of a campaign, and its next slot, by the ms of its pause. */
  delay(id: number, route: string, ms: number): Promise<void>;
  /** Counts the waiting e-mails of a route, up to `limit`. */
  waiting(route: string, limit: number): Promise<string[]>;
}
