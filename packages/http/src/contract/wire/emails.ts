import type { BounceClass, EmailView, OutputOf, TimelineEntry, TimelineHandover } from "@posthorn/core";
import { emailStatuses, type useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timeOrNull, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type EmailDetails = OutputOf<Core["emails"]["get"]>;

/** A file of an e-mail (platform.md P3). */
export const emailFileWire = wire(
  named(
    "EmailAttachment",
    z.object({
      position: integer,
      filename: z.string(),
      content_type: z.string(),
      size: integer,
      content_id: z.string().nullable(),
    }),
  ),
  (file: EmailView["attachments"][number]) => ({
    position: file.position,
    filename: file.filename,
    content_type: file.contentType,
    size: file.size,
    content_id: file.contentId ?? null,
  }),
);

const emailFields = {
  id: uuid,
  status: z.enum(emailStatuses),
  template: z.string().nullable(),
  template_version_id: uuid.nullable(),
  smtp_server_id: uuid.nullable(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  created_at: timestamp,
  scheduled_at: timestamp.nullable(),
  deliver_before: timestamp.nullable(),
  sent_at: timestamp.nullable(),
  priority: z.enum(["high", "normal", "low"]),
  batch_id: uuid.nullable(),
  campaign_id: integer.nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  attachments: z.array(emailFileWire.schema),
};

/** `Email` (decisions §7). */
export const emailWire = wire(named("Email", z.object(emailFields)), (email: EmailView) => ({
  id: email.id,
  status: email.status,
  template: email.template ?? null,
  template_version_id: email.templateVersionId ?? null,
  smtp_server_id: email.smtpServerId ?? null,
  from: email.from,
  to: email.to,
  subject: email.subject,
  created_at: time(email.createdAt),
  scheduled_at: timeOrNull(email.scheduledAt),
  deliver_before: timeOrNull(email.deliverBefore),
  sent_at: timeOrNull(email.sentAt),
  priority: email.priority,
  batch_id: email.batchId ?? null,
  campaign_id: email.campaignId ?? null,
  tags: email.tags,
  metadata: email.metadata,
  attachments: email.attachments.map(emailFileWire.from),
}));

const hitsWire = wire(
  named(
    "EmailHits",
    z.object({
      count: integer,
      human_count: integer,
      first_at: timestamp,
      first_human_at: timestamp.nullable(),
      agent_class: z.enum(["browser", "mail_program", "image_proxy", "machine", "unknown"]),
    }),
  ),
  (hits: NonNullable<EmailDetails["opens"]>) => ({
    count: hits.count,
    human_count: hits.humanCount,
    first_at: time(hits.firstAt),
    first_human_at: timeOrNull(hits.firstHumanAt),
    agent_class: hits.agentClass,
  }),
);

const recipientWire = wire(
  named(
    "EmailRecipient",
    z.object({
      kind: z.enum(["to", "cc", "bcc"]),
      name: z.string(),
      address: z.string(),
      state: z.enum(["pending", "deferred", "accepted", "failed", "suppressed", "cancelled"]),
      attempts: integer,
      code: integer.nullable(),
      last_reply: z.string(),
      enhanced_code: z.string().nullable(),
      class: z.enum(["hard", "soft", "block", "setting", "undetermined"]).nullable(),
      category: z.string().nullable(),
      bounced_at: timestamp.nullable(),
      complained_at: timestamp.nullable(),
      opened_at: timestamp.nullable(),
      clicked_at: timestamp.nullable(),
      opens: hitsWire.schema.nullable(),
      clicks: hitsWire.schema.nullable(),
      remote_id: z.string().nullable(),
      settled_at: timestamp.nullable(),
    }),
  ),
  (recipient: EmailDetails["recipients"][number]) => ({
    kind: recipient.kind,
    name: recipient.name,
    address: recipient.address,
    state: recipient.state,
    attempts: recipient.attempts,
    code: recipient.code ?? null,
    last_reply: recipient.lastReply,
    enhanced_code: recipient.enhancedCode ?? null,
    class: (recipient.class as BounceClass | undefined) ?? null,
    category: recipient.category ?? null,
    bounced_at: timeOrNull(recipient.bouncedAt),
    complained_at: timeOrNull(recipient.complainedAt),
    opened_at: timeOrNull(recipient.openedAt),
    clicked_at: timeOrNull(recipient.clickedAt),
    opens: recipient.opens === undefined ? null : hitsWire.from(recipient.opens),
    clicks: recipient.clicks === undefined ? null : hitsWire.from(recipient.clicks),
    remote_id: recipient.remoteId ?? null,
    settled_at: timeOrNull(recipient.settledAt),
  }),
);

const attemptWire = wire(
  named(
    "EmailAttempt",
    z.object({
      number: integer,
      started_at: timestamp,
      ended_at: timestamp.nullable(),
      outcome: z.enum(["sent", "deferred", "failed", "interrupted"]),
      in_doubt: z.boolean(),
      reply: z.string(),
      smtp_server_id: uuid.nullable(),
    }),
  ),
  (attempt: EmailDetails["attempts"][number]) => ({
    number: attempt.number,
    started_at: time(attempt.startedAt),
    ended_at: timeOrNull(attempt.endedAt),
    outcome: attempt.outcome,
    in_doubt: attempt.inDoubt,
    reply: attempt.reply,
    smtp_server_id: attempt.smtpServerId ?? null,
  }),
);

const stepWire = wire(
  named(
    "HandoverStep",
    z.object({
      step: z.enum([
        "wait",
        "resolve",
        "connect",
        "greeting",
        "ehlo",
        "starttls",
        "auth",
        "mail_from",
        "rcpt_to",
        "data",
        "content",
        "end_of_data",
      ]),
      ms: z.number(),
      code: integer.nullable(),
      reply: z.string(),
      error: z.string().nullable(),
      recipient: z.string().nullable(),
    }),
  ),
  (step: TimelineHandover["steps"][number]) => ({
    step: step.step,
    ms: step.ms,
    code: step.code ?? null,
    reply: step.reply ?? "",
    error: step.error ?? null,
    recipient: step.recipient ?? null,
  }),
);

const timelineEntryWire = wire(
  named(
    "TimelineEntry",
    z.object({
      at: timestamp,
      type: z.enum([
        "accepted",
        "deferred",
        "suppressed",
        "attempt",
        "rescheduled",
        "retried",
        "cancelled",
        "settled",
        "bounced",
        "delayed",
        "complained",
        "unsubscribed",
        "opened",
        "clicked",
        "machine",
        "webhook",
        "waiting",
        "in_hand",
      ]),
      message: z.string(),
      recipient: z.string().nullable(),
      details: z.record(z.string(), z.unknown()),
      handovers: z.array(
        z.object({
          smtp_server_id: uuid.nullable(),
          name: z.string().nullable(),
          held: z.string().nullable(),
          steps: z.array(stepWire.schema),
        }),
      ),
    }),
  ),
  (entry: TimelineEntry) => ({
    at: time(entry.at),
    type: entry.type,
    message: entry.message,
    recipient: entry.recipient ?? null,
    details: entry.details,
    handovers: entry.handovers.map(({ smtpServerId, name, held, steps }) => ({
      smtp_server_id: smtpServerId ?? null,
      name: name ?? null,
      held: held ?? null,
      steps: steps.map(stepWire.from),
    })),
  }),
);

/** An e-mail with its recipients' states, its attempts and its timeline (decisions §7, platform.md P1). */
export const emailDetailsWire = wire(
  named(
    "EmailDetails",
    z.object({
      ...emailFields,
      content_removed: z.boolean(),
      opens: hitsWire.schema.nullable(),
      clicks: hitsWire.schema.nullable(),
      recipients: z.array(recipientWire.schema),
      attempts: z.array(attemptWire.schema),
      timeline: z.array(timelineEntryWire.schema),
    }),
  ),
  (email: EmailDetails) => ({
    ...emailWire.from(email),
    content_removed: email.contentRemoved,
    opens: email.opens === undefined ? null : hitsWire.from(email.opens),
    clicks: email.clicks === undefined ? null : hitsWire.from(email.clicks),
    recipients: email.recipients.map(recipientWire.from),
    attempts: email.attempts.map(attemptWire.from),
    timeline: email.timeline.map(timelineEntryWire.from),
  }),
);
