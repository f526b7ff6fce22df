import {
  type Campaign,
  type CampaignChanges,
  type CampaignOutcome,
  type CampaignPlan,
  type CampaignRecipient,
  type CampaignStatus,
  type ListedCampaignRecipient,
  type NewCampaign,
  type PausedReason,
  readStored,
  readStoredObject,
} from "@posthorn/core/storage";
import { present } from "../../../present.ts";
import type { Row } from "../../../tables.ts";

/** A campaign to be sent or changed. Throws if its plan or its sender is damaged: nothing may be sent by another. */
export function toCampaign(row: Row<"campaigns">): Campaign {
  const plan = readPlan(row.plan);
  const from = readSender(row.from_mailbox);
  if (plan === undefined || (from === undefined && row.from_mailbox !== null))
    throw new Error(`the stored campaign ${row.id} is damaged`);
  return campaignOf(row, { plan, from });
}

/** A campaign in a list: a damaged plan or sender is shown as an empty one, and the others are not affected. */
export const toListedCampaign = (row: Row<"campaigns">): Campaign =>
  campaignOf(row, { plan: readPlan(row.plan) ?? emptyPlan, from: readSender(row.from_mailbox) });

const emptyPlan: CampaignPlan = {
  replyTo: [],
  headers: {},
  tags: [],
  metadata: {},
  unsubscribeList: undefined,
  pace: { perSecond: undefined, perHour: undefined },
  ramp: undefined,
  onMissing: "stop",
  autoPause: { bounceRate: 0, complaintRate: 0, after: 0 },
};

const campaignOf = (row: Row<"campaigns">, { plan, from }: Pick<Campaign, "plan" | "from">): Campaign => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  status: row.status as CampaignStatus,
  pausedReason: present(row.paused_reason) as PausedReason | undefined,
  template: present(row.template),
  templateVersionId: present(row.template_version_id),
  contentId: present(row.content_id),
  stylesheetSetId: present(row.stylesheet_set_id),
  attachmentSetId: present(row.attachment_set_id),
  from,
  plan,
  recipients: row.recipients,
  cursor: row.cursor_position,
  pausedMs: row.paused_ms,
  judgedFrom: row.judged_from === null ? undefined : (readStored(row.judged_from) as Campaign["judgedFrom"]),
  scheduledAt: present(row.scheduled_at),
  startedAt: present(row.started_at),
  completedAt: present(row.completed_at),
  createdBy: present(row.created_by),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const readSender = (text: string | null): Campaign["from"] =>
  text === null ? undefined : (readStored(text) as Campaign["from"]);

/** What no plan is without. */
const parts = ["replyTo", "headers", "tags", "metadata", "pace", "autoPause"] as const;

/** JSON omits `undefined` values. Returns `undefined` if the plan is damaged. */
function readPlan(text: string): CampaignPlan | undefined {
  const stored = readStored(text) as Partial<CampaignPlan> | null | undefined;
  if (!parts.every((part) => stored?.[part])) return undefined;
  const { pace, ramp, unsubscribeList, ...plan } = stored as CampaignPlan;
  return {
    ...plan,
    unsubscribeList,
    ramp,
    pace: { perSecond: pace.perSecond, perHour: pace.perHour },
  };
}

export const toCampaignRow = (campaign: NewCampaign) => ({
  workspace_id: campaign.workspaceId,
  name: campaign.name,
  name_key: campaign.name.toLowerCase(),
  status: "draft",
  template: campaign.template ?? null,
  template_version_id: campaign.templateVersionId ?? null,
  content_id: campaign.contentId ?? null,
  attachment_set_id: campaign.attachmentSetId ?? null,
  from_mailbox: campaign.from === undefined ? null : JSON.stringify(campaign.from),
  plan: JSON.stringify(campaign.plan),
  scheduled_at: campaign.scheduledAt ?? null,
  created_by: campaign.createdBy ?? null,
  created_at: campaign.createdAt,
  updated_at: campaign.createdAt,
});

/** The columns to change: a key present with `undefined` clears its column. */
export function toChangedColumns(changes: CampaignChanges) {
  const given = (name: keyof CampaignChanges): boolean => Object.hasOwn(changes, name);
  return {
    ...(changes.name === undefined ? {} : { name: changes.name, name_key: changes.name.toLowerCase() }),
    ...(given("template") ? { template: changes.template ?? null } : {}),
    ...(given("templateVersionId") ? { template_version_id: changes.templateVersionId ?? null } : {}),
    ...(given("contentId") ? { content_id: changes.contentId ?? null } : {}),
    ...(given("attachmentSetId") ? { attachment_set_id: changes.attachmentSetId ?? null } : {}),
    ...(given("from")
      ? { from_mailbox: changes.from === undefined ? null : JSON.stringify(changes.from) }
      : {}),
    ...(changes.plan === undefined ? {} : { plan: JSON.stringify(changes.plan) }),
    ...(given("scheduledAt") ? { scheduled_at: changes.scheduledAt ?? null } : {}),
  };
}

export const toCampaignRecipient = (row: Row<"campaign_recipients">): CampaignRecipient => ({
  ...withoutValues(row),
  templateData: readStoredObject(row.template_data),
});

const withoutValues = (row: RowWithoutValues): Omit<CampaignRecipient, "templateData"> => ({
  position: row.position,
  name: row.name,
  address: row.address,
  state: row.state as CampaignRecipient["state"],
  reason: row.reason,
  emailId: present(row.email_id),
});

type RowWithoutValues = Omit<Row<"campaign_recipients">, "template_data" | "campaign_id" | "address_key">;

/** Only settled e-mails are removed from the log, so that a queued recipient without one is settled. */
export function toListedRecipient(
  row: RowWithoutValues & { email: number | null; email_status: string | null },
): ListedCampaignRecipient {
  const recipient = withoutValues(row);
  const isSettled = recipient.state === "queued" && (row.email === null || row.email_status !== null);
  return {
    ...recipient,
    state: isSettled ? "settled" : recipient.state,
    emailStatus: present(row.email_status) as CampaignOutcome | undefined,
  };
}
