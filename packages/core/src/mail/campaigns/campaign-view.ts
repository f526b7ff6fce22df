import { ServiceError } from "../../errors.ts";
import type { Campaign, CampaignCounts, CampaignRecipient } from "../../ports/storage/campaigns.ts";
import type { Repositories } from "../../ports/storage.ts";
import { formatMailbox } from "../../rules/addresses.ts";

/** A campaign as it is told. Times are ms since the epoch. */
export interface CampaignView
  extends Omit<Campaign, "workspaceId" | "contentId" | "stylesheetSetId" | "from" | "plan" | "cursor"> {
  /** The sender; `undefined` for the workspace's own. */
  from: string | undefined;
  replyTo: string[];
  headers: Record<string, string>;
  tags: string[];
  metadata: Record<string, unknown>;
  /** The list that recipients may leave. */
  unsubscribe: { list: string } | undefined;
  pace: Campaign["plan"]["pace"];
  ramp: Campaign["plan"]["ramp"];
  onMissing: Campaign["plan"]["onMissing"];
  autoPause: Campaign["plan"]["autoPause"];
  /** In recipients. `pending` were not gone through yet. */
  counts: Omit<CampaignCounts, "settled" | "withdrawn"> & { pending: number };
}

export function viewCampaign(campaign: Campaign, counted: CampaignCounts): CampaignView {
  const { workspaceId: _, contentId: __, stylesheetSetId: ___, cursor: ____, from, plan, ...rest } = campaign;
  const { settled: _____, withdrawn, ...counts } = counted;
  return {
    ...rest,
    from: from && formatMailbox(from),
    replyTo: plan.replyTo.map(formatMailbox),
    headers: plan.headers,
    tags: plan.tags,
    metadata: plan.metadata,
    unsubscribe: plan.unsubscribeList === undefined ? undefined : { list: plan.unsubscribeList },
    pace: plan.pace,
    ramp: plan.ramp,
    onMissing: plan.onMissing,
    autoPause: plan.autoPause,
    counts: {
      ...counts,
      cancelled: counts.cancelled + withdrawn,
      pending: Math.max(0, campaign.recipients - counts.queued - counts.skipped - withdrawn),
    },
  };
}

/** The campaign with its counts. */
export async function viewOf(
  storage: Pick<Repositories, "campaigns">,
  campaign: Campaign,
): Promise<CampaignView> {
  const counts = (await storage.campaigns.counts([campaign.id])).get(campaign.id);
  if (counts === undefined) throw new ServiceError("not_found");
  return viewCampaign(campaign, counts);
}

/** The campaign, or `not_found`. */
export async function findCampaignOrThrow(
  storage: Pick<Repositories, "campaigns">,
  workspaceId: number,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<Campaign> {
  const campaign = await storage.campaigns[lock ? "lock" : "find"](workspaceId, id);
  if (campaign === undefined) throw new ServiceError("not_found", { message: `There is no campaign ${id}.` });
  return campaign;
}

/** Says that the campaign is not where the call needs it to be. */
export const stateConflict = ({ status }: Pick<Campaign, "status">): ServiceError =>
  new ServiceError("campaign_state_conflict", {
    message: `The campaign is ${status}.`,
    details: { status },
  });

/** Somebody on a campaign's list, as it is told. */
export interface CampaignRecipientView {
  email: string;
  name: string;
  state: CampaignRecipient["state"];
  /** Why nothing was sent. */
  reason: string;
  emailId: string | undefined;
}

export const viewRecipient = ({
  address,
  name,
  state,
  reason,
  emailId,
}: CampaignRecipient): CampaignRecipientView => ({ email: address, name, state, reason, emailId });
