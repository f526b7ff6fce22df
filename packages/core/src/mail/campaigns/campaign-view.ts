import { orNotFound } from "../../calls/or-not-found.ts";
import { ServiceError } from "../../errors.ts";
import type {
  AttachmentItem,
  Campaign,
  CampaignCounts,
  CampaignSummary,
  ListedCampaignRecipient,
  Repositories,
} from "../../ports/storage.ts";
import { formatMailbox } from "../../rules/addresses.ts";
import { dayWindow, hourWindow } from "../../workspaces/rules/quota-windows.ts";
import { type EmailAttachmentView, viewFile } from "../attachments/attachment-view.ts";
import { findFilesOf } from "./campaign-files.ts";

/** A campaign as shown to callers. Times are ms since the epoch. */
export interface CampaignView extends CampaignSummary {
  /** The sender; `undefined` for the workspace's default. */
  from: string | undefined;
  /** Addresses for replies, each `a@b.example` or `Name <a@b.example>`. */
  replyTo: string[];
  /** Additional header fields of each e-mail. */
  headers: Record<string, string>;
  /** Labels of each e-mail, for filters of the log. */
  tags: string[];
  /** Metadata of your own; it is stored with each e-mail and not sent. */
  metadata: Record<string, unknown>;
  /** Files of each of its e-mails. */
  attachments: EmailAttachmentView[];
  /** The list that recipients can unsubscribe from. */
  unsubscribe: { list: string } | undefined;
  /** What is tracked; what it leaves open, the workspace's settings decide. */
  tracking: Campaign["plan"]["tracking"];
  /** Maximum e-mails per second and per hour. */
  pace: Campaign["plan"]["pace"];
  /** How the pace grows from the first hour or day on; `undefined` for a constant pace. */
  ramp: Campaign["plan"]["ramp"];
  /** What happens to a recipient without a value for a placeholder. */
  onMissing: Campaign["plan"]["onMissing"];
  /**
   * Rates of bounces and complaints at which the campaign pauses automatically, and the number of e-mails before they
   * are checked.
   */
  autoPause: Campaign["plan"]["autoPause"];
  /** Numbers of recipients. `pending` ones have not been processed yet. */
  counts: Omit<CampaignCounts, "settled" | "withdrawn" | "invalid" | "duplicates"> & { pending: number };
  /** While it waits for the plan's hourly or daily limit: when that has room again. */
  limitedUntil: number | undefined;
}

type Viewing = Pick<Repositories, "campaigns" | "attachments" | "workspaces" | "usage">;

function viewCampaign(
  { id, name, status, from, plan, ...campaign }: Campaign,
  counted: CampaignCounts,
  files: readonly AttachmentItem[],
): Omit<CampaignView, "limitedUntil"> {
  const { pausedReason, template, templateVersionId, recipients, createdBy } = campaign;
  const { scheduledAt, startedAt, completedAt, createdAt, updatedAt } = campaign;
  const { settled: _, withdrawn, invalid: __, duplicates: ___, ...counts } = counted;
  return {
    ...{ id, name, status, pausedReason, template, templateVersionId },
    ...{ recipients, createdBy, scheduledAt, startedAt, completedAt, createdAt, updatedAt },
    from: from && formatMailbox(from),
    replyTo: plan.replyTo.map(formatMailbox),
    headers: plan.headers,
    tags: plan.tags,
    metadata: plan.metadata,
    attachments: files.map(viewFile),
    unsubscribe: plan.unsubscribeList === undefined ? undefined : { list: plan.unsubscribeList },
    tracking: plan.tracking,
    pace: plan.pace,
    ramp: plan.ramp,
    onMissing: plan.onMissing,
    autoPause: plan.autoPause,
    counts: {
      ...counts,
      cancelled: counts.cancelled + withdrawn,
      pending: Math.max(0, recipients - counts.queued - counts.skipped - withdrawn),
    },
  };
}

/** Returns campaigns of one workspace with their counts and files. */
export async function viewCampaigns(
  storage: Viewing,
  campaigns: readonly Campaign[],
  now: number,
): Promise<CampaignView[]> {
  const counts = await storage.campaigns.counts(campaigns.map(({ id }) => id));
  const files = await findFilesOf(storage, campaigns);
  const views = campaigns.flatMap((campaign) => {
    const counted = counts.get(campaign.id);
    return counted === undefined ? [] : viewCampaign(campaign, counted, files.get(campaign.id) ?? []);
  });
  const feeds = ({ status, counts: { pending } }: (typeof views)[number]) =>
    status === "running" && pending > 0;
  const [campaign] = campaigns;
  const limitedUntil =
    campaign !== undefined && views.some(feeds)
      ? await findLimitedUntil(storage, campaign.workspaceId, now)
      : undefined;
  return views.map((view) => ({ ...view, limitedUntil: feeds(view) ? limitedUntil : undefined }));
}

/** Returns when the plan's limits have room again; `undefined` if they have. */
async function findLimitedUntil(
  storage: Pick<Repositories, "workspaces" | "usage">,
  workspaceId: number,
  now: number,
): Promise<number | undefined> {
  const [workspace] = await storage.workspaces.listSending([workspaceId]);
  const { hourlyRateLimit = 0, dailyRateLimit = 0 } = workspace?.limits ?? {};
  if (hourlyRateLimit === 0 && dailyRateLimit === 0) return undefined;
  const [hour, day] = [hourWindow(now), dayWindow(now)];
  const used = await storage.usage.find(workspaceId, hour.start, day.start);
  if (dailyRateLimit > 0 && used.day >= dailyRateLimit) return day.resetsAt;
  return hourlyRateLimit > 0 && used.hour >= hourlyRateLimit ? hour.resetsAt : undefined;
}

/** Returns the campaign with its counts and files. */
export async function viewOf(storage: Viewing, campaign: Campaign, now: number): Promise<CampaignView> {
  const [view] = await viewCampaigns(storage, [campaign], now);
  if (view === undefined) throw new ServiceError("not_found");
  return view;
}

/** Returns the campaign; throws `not_found`. */
export async function findCampaignOrThrow(
  storage: Pick<Repositories, "campaigns">,
  workspaceId: number,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<Campaign> {
  return orNotFound(await storage.campaigns[lock ? "lock" : "find"](workspaceId, id), `campaign ${id}`);
}

/** Makes the error for a campaign whose status does not allow the call. */
export const stateConflict = ({ status }: Pick<Campaign, "status">): ServiceError =>
  new ServiceError("campaign_state_conflict", {
    message: `The campaign is ${status === "draft" ? "a draft" : status}.`,
    details: { status },
  });

/** Makes the error for a change that the campaign's status no longer allows. */
export const notEditable = ({ status }: Pick<Campaign, "status">): ServiceError =>
  new ServiceError("campaign_not_editable", { details: { status } });

/** Throws `campaign_not_editable` if the campaign has begun: it is neither a draft nor scheduled. */
export function assertEditable(campaign: Pick<Campaign, "status">): void {
  if (campaign.status !== "draft" && campaign.status !== "scheduled") throw notEditable(campaign);
}

/** A recipient on a campaign's list, as shown to callers. */
export interface CampaignRecipientView {
  /** The recipient's address. */
  email: string;
  /** The recipient's name; empty if none was given. */
  name: string;
  /** Whether the recipient was processed, and with which result. */
  state: ListedCampaignRecipient["state"];
  /** Reason why no e-mail was sent. */
  reason: string;
  /** The recipient's e-mail, once there is one. */
  emailId: string | undefined;
  /** Outcome of the e-mail; `undefined` before, and once the e-mail is removed from the log. */
  emailStatus: ListedCampaignRecipient["emailStatus"];
}

export const viewRecipient = ({ address, ...recipient }: ListedCampaignRecipient): CampaignRecipientView => {
  const { name, state, reason, emailId, emailStatus } = recipient;
  return { email: address, name, state, reason, emailId, emailStatus };
};
