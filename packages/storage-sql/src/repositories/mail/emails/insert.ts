import { addressKey, type NewEmail, suppressionReply } from "@posthorn/core/storage";
import { labelsOf } from "../../../email-labels.ts";
import type { Engine, Handle, ValueType } from "../../../engine.ts";
import { outcomeTypes } from "../../../outcome-types.ts";
import { countEmails } from "./count.ts";
import { isSealed, originText, payloadText } from "./rows.ts";

const emailTypes = {
  id: "bigint",
  uuid: "text",
  workspace_id: "bigint",
  api_key_id: "text",
  batch_id: "text",
  batch_index: "bigint",
  campaign_id: "bigint",
  template: "text",
  template_version_id: "text",
  content_id: "bigint",
  stylesheet_set_id: "bigint",
  attachment_set_id: "bigint",
  smtp_server_id: "text",
  from_text: "text",
  subject: "text",
  to_addresses: "text",
  tags: "text",
  metadata: "text",
  route: "text",
  lane: "bigint",
  created_at: "bigint",
  scheduled_at: "bigint",
  deliver_before: "bigint",
  is_sensitive: "boolean",
  origin: "text",
} as const satisfies Record<string, ValueType>;

const recipientTypes = {
  email_id: "bigint",
  position: "bigint",
  workspace_id: "bigint",
  kind: "text",
  name: "text",
  address: "text",
  address_key: "text",
  state: "text",
  last_reply: "text",
  settled_at: "bigint",
} as const satisfies Record<string, ValueType>;

const labelTypes = {
  email_id: "bigint",
  label: "text",
  workspace_id: "bigint",
} as const satisfies Record<string, ValueType>;

const payloadTypes = {
  email_id: "bigint",
  is_sealed: "boolean",
  payload: "text",
} as const satisfies Record<string, ValueType>;

const queueTypes = {
  email_id: "bigint",
  route: "text",
  lane: "bigint",
  due_at: "bigint",
  queued_at: "bigint",
  bytes: "bigint",
} as const satisfies Record<string, ValueType>;

const kinds = ["to", "cc", "bcc"];

/** Inserts e-mails with recipients, payloads and queue rows, and counts them; call it in a transaction. */
export async function insertEmails(db: Handle, engine: Engine, emails: NewEmail[]): Promise<void> {
  const ids = await engine.takeIds(db, "emails", emails.length);
  await engine.insertRows(
    db,
    "emails",
    emailTypes,
    emails.map((email, index) => ({ id: ids[index], ...toEmailRow(email) })),
  );
  const recipients: Record<string, unknown>[] = [];
  const payloads: Record<string, unknown>[] = [];
  const queue: Record<string, unknown>[] = [];
  const outcomes: Record<string, unknown>[] = [];
  const labels: Record<string, unknown>[] = [];
  for (const [index, email] of emails.entries()) {
    const emailId = ids[index];
    const payload = payloadText(email.payload);
    if (isSuppressed(email.recipients)) {
      outcomes.push({
        email_id: emailId,
        workspace_id: email.workspaceId ?? null,
        status: "suppressed",
        settled_at: email.createdAt,
      });
    } else {
      payloads.push({ email_id: emailId, is_sealed: isSealed(email.payload), payload });
      queue.push({
        email_id: emailId,
        route: email.route,
        lane: email.lane,
        due_at: email.dueAt,
        queued_at: email.createdAt,
        bytes: sizeOf(email, payload),
      });
    }
    labels.push(...labelRows(email, emailId));
    recipients.push(...recipientRows(email, emailId));
  }
  await engine.insertRows(db, "email_recipients", recipientTypes, recipients);
  if (queue.length > 0) {
    await engine.insertRows(db, "email_payloads", payloadTypes, payloads);
    await engine.insertRows(db, "email_queue", queueTypes, queue);
  }
  if (labels.length > 0) await engine.insertRows(db, "email_labels", labelTypes, labels);
  if (outcomes.length > 0) await engine.insertRows(db, "email_outcomes", outcomeTypes, outcomes);
  await countEmails(
    db,
    engine,
    emails.flatMap(({ workspaceId, recipients }) => {
      const accepted = { workspaceId, status: "accepted", change: 1 } as const;
      return isSuppressed(recipients)
        ? [accepted, { ...accepted, status: "suppressed" } as const]
        : [accepted];
    }),
  );
}

function recipientRows(email: NewEmail, emailId: number | undefined): Record<string, unknown>[] {
  const inOrder = [...email.recipients].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  return inOrder.map(({ kind, name, address, suppressedBy }, position) => ({
    email_id: emailId,
    position,
    workspace_id: email.workspaceId ?? null,
    kind,
    name,
    address,
    address_key: addressKey(address),
    state: suppressedBy === undefined ? "pending" : "suppressed",
    last_reply: suppressedBy === undefined ? "" : suppressionReply(suppressedBy),
    settled_at: suppressedBy === undefined ? null : email.createdAt,
  }));
}

/** What it is found by. The service's own mails are not searched. */
const labelRows = (email: NewEmail, emailId: number | undefined): Record<string, unknown>[] =>
  email.workspaceId === undefined
    ? []
    : labelsOf(email).map((label) => ({ email_id: emailId, label, workspace_id: email.workspaceId }));

/** Whether nobody is left to send to. */
const isSuppressed = (recipients: NewEmail["recipients"]): boolean =>
  recipients.every(({ suppressedBy }) => suppressedBy !== undefined);

/** Bytes that a worker reads of an e-mail. */
const sizeOf = ({ subject, metadata, recipients }: NewEmail, payload: string): number =>
  [payload, subject, JSON.stringify(metadata), ...recipients.flatMap(({ name, address }) => [name, address])]
    .map((text) => Buffer.byteLength(text))
    .reduce((sum, bytes) => sum + bytes, 0);

function toEmailRow(email: NewEmail) {
  return {
    uuid: email.id,
    workspace_id: email.workspaceId ?? null,
    api_key_id: email.apiKeyId ?? null,
    batch_id: email.batchId ?? null,
    batch_index: email.batchIndex ?? null,
    campaign_id: email.campaignId ?? null,
    template: email.template ?? null,
    template_version_id: email.templateVersionId ?? null,
    content_id: email.contentId,
    stylesheet_set_id: email.stylesheetSetId ?? null,
    attachment_set_id: email.attachmentSetId ?? null,
    smtp_server_id: email.smtpServerId ?? null,
    from_text: email.from,
    subject: email.subject,
    to_addresses: JSON.stringify(
      email.recipients.filter(({ kind }) => kind === "to").map(({ address }) => address),
    ),
    tags: JSON.stringify(email.tags),
    metadata: JSON.stringify(email.metadata),
    route: email.route,
    lane: email.lane,
    created_at: email.createdAt,
    scheduled_at: email.scheduledAt ?? null,
    deliver_before: email.deliverBefore ?? null,
    is_sensitive: email.isSensitive,
    origin: originText(email.origin),
  };
}
