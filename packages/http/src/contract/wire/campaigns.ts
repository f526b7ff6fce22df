import type { OutputOf } from "@posthorn/core";
import { campaignOutcomes, type useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { emailFileWire } from "./emails.ts";
import { integer, named, time, timeOrNull, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type Campaign = OutputOf<Core["campaigns"]["get"]>;
type Recipient = OutputOf<Core["campaigns"]["listRecipients"]>["items"][number];
type Check = OutputOf<Core["campaigns"]["check"]>;
type Added = OutputOf<Core["campaigns"]["addRecipients"]>;

const counts = {
  pending: integer,
  queued: integer,
  sent: integer,
  failed: integer,
  bounced: integer,
  complained: integer,
  suppressed: integer,
  skipped: integer,
  cancelled: integer,
  opened: integer,
  clicked: integer,
  unsubscribed: integer,
};

/** `Campaign` (platform.md P9). */
export const campaignWire = wire(
  named(
    "Campaign",
    z.object({
      id: integer,
      name: z.string(),
      status: z.enum(["draft", "scheduled", "running", "paused", "completed", "cancelled"]),
      paused_reason: z
        .enum([
          "user",
          "bounce_rate",
          "complaint_rate",
          "domain_failed",
          "server_down",
          "missed_schedule",
          "restored_copy",
          "template_data_missing",
        ])
        .nullable(),
      template: z.string().nullable(),
      template_version_id: uuid.nullable(),
      from: z.string().nullable(),
      reply_to: z.array(z.string()),
      headers: z.record(z.string(), z.string()),
      tags: z.array(z.string()),
      metadata: z.record(z.string(), z.unknown()),
      attachments: z.array(emailFileWire.schema),
      unsubscribe: z.object({ list: z.string() }).nullable(),
      tracking: z.object({ opens: z.boolean().nullable(), clicks: z.boolean().nullable() }),
      pace: z.object({ per_second: z.number().nullable(), per_hour: integer.nullable() }),
      ramp: z.object({ first: integer, factor: z.number(), every: z.enum(["hour", "day"]) }).nullable(),
      on_missing: z.enum(["skip", "stop"]),
      auto_pause: z.object({ bounce_rate: z.number(), complaint_rate: z.number(), after: integer }),
      recipients: integer,
      counts: z.object(counts),
      limited_until: timestamp.nullable(),
      scheduled_at: timestamp.nullable(),
      started_at: timestamp.nullable(),
      completed_at: timestamp.nullable(),
      created_by: integer.nullable(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (campaign: Campaign) => ({
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    paused_reason: campaign.pausedReason ?? null,
    template: campaign.template ?? null,
    template_version_id: campaign.templateVersionId ?? null,
    from: campaign.from ?? null,
    reply_to: campaign.replyTo,
    headers: campaign.headers,
    tags: campaign.tags,
    metadata: campaign.metadata,
    attachments: campaign.attachments.map(emailFileWire.from),
    unsubscribe: campaign.unsubscribe ?? null,
    tracking: { opens: campaign.tracking?.opens ?? null, clicks: campaign.tracking?.clicks ?? null },
    pace: { per_second: campaign.pace.perSecond ?? null, per_hour: campaign.pace.perHour ?? null },
    ramp: campaign.ramp ?? null,
    on_missing: campaign.onMissing,
    auto_pause: {
      bounce_rate: campaign.autoPause.bounceRate,
      complaint_rate: campaign.autoPause.complaintRate,
      after: campaign.autoPause.after,
    },
    recipients: campaign.recipients,
    counts: campaign.counts,
    limited_until: timeOrNull(campaign.limitedUntil),
    scheduled_at: timeOrNull(campaign.scheduledAt),
    started_at: timeOrNull(campaign.startedAt),
    completed_at: timeOrNull(campaign.completedAt),
    created_by: campaign.createdBy ?? null,
    created_at: time(campaign.createdAt),
    updated_at: time(campaign.updatedAt),
  }),
);

/** A recipient on a campaign's list. */
export const campaignRecipientWire = wire(
  named(
    "CampaignRecipient",
    z.object({
      email: z.string(),
      name: z.string(),
      state: z.enum(["pending", "queued", "settled", "skipped", "cancelled"]),
      reason: z.string(),
      email_id: uuid.nullable(),
      email_status: z.enum(campaignOutcomes).nullable(),
    }),
  ),
  ({ email, name, state, reason, emailId, emailStatus }: Recipient) => ({
    email,
    name,
    state,
    reason,
    email_id: emailId ?? null,
    email_status: emailStatus ?? null,
  }),
);

/** Result of adding recipients to a list. */
export const addedRecipientsWire = wire(
  named(
    "AddedRecipients",
    z.object({
      added: integer,
      duplicates: integer,
      rejected: z.array(z.object({ line: integer, value: z.string(), message: z.string() })),
      rejected_total: integer,
    }),
  ),
  ({ added, duplicates, rejected, rejectedTotal }: Added) => ({
    added,
    duplicates,
    rejected,
    rejected_total: rejectedTotal,
  }),
);

/** Result of a campaign's check. */
export const campaignCheckWire = wire(
  named(
    "CampaignCheck",
    z.object({
      recipients: integer,
      missing: z.array(z.object({ name: z.string(), count: integer, examples: z.array(z.string()) })),
      suppressed: integer,
      reasons: z.array(z.object({ code: z.string(), message: z.string(), count: integer })),
      size: integer,
      invalid: integer,
      duplicates: integer,
      days_at_limits: integer,
      warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    }),
  ),
  (check: Check) => ({
    recipients: check.recipients,
    missing: check.missing,
    suppressed: check.suppressed,
    reasons: check.reasons,
    size: check.size,
    invalid: check.invalid,
    duplicates: check.duplicates,
    days_at_limits: check.daysAtLimits,
    warnings: check.warnings.map(({ code, message }) => ({ code, message })),
  }),
);
