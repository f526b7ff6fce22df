import { addressKey, type NewEmail, suppressionReply } from "@posthorn/core/storage";
import { bulkInsert, numberedInsert } from "../../../bulk-insert.ts";
import { labelsOf } from "../../../email-labels.ts";
import type { Engine, Handle } from "../../../engine.ts";
import type { NewRow } from "../../../tables.ts";
import { countEmails } from "./count.ts";
import { insertOutcomes } from "./insert-outcomes.ts";
import { isSealed, originText, payloadText } from "./rows.ts";

const insertMails = numberedInsert("emails");
const insertRecipients = bulkInsert("email_recipients", [
  "attempts",
  "last_code",
  "remote_id",
  "missing_since",
]);
const insertLabels = bulkInsert("email_labels");
const insertPayloads = bulkInsert("email_payloads");
const enqueue = bulkInsert("email_queue", ["attempts"]);

const kinds = ["to", "cc", "bcc"];

/** An e-mail with its row id, and its metadata as stored. */
interface Numbered {
  id: number;
  email: NewEmail;
  metadataText: string;
}

/** Inserts e-mails with recipients, payloads and queue rows, and counts them; call it in a transaction. */
export async function insertEmails(db: Handle, engine: Engine, emails: NewEmail[]): Promise<void> {
  const rows = emails.map(emailRow);
  const ids = await insertMails(db, engine, rows);
  const numbered = emails.map((email, index) => {
    const [id, row] = [ids[index], rows[index]];
    if (id === undefined || row === undefined) throw new Error("an e-mail has no id");
    return { id, email, metadataText: row.metadata };
  });
  await insertRecipients(db, engine, numbered.flatMap(recipientRows));
  const [suppressed, waiting] = parted(numbered);
  const payloads = waiting.map(({ id, email: { payload } }) => ({
    email_id: id,
    is_sealed: isSealed(payload),
    payload: payloadText(payload),
  }));
  await insertPayloads(db, engine, payloads);
  await enqueue(
    db,
    engine,
    waiting.map((one, index) => queueRow(one, payloads[index]?.payload ?? "")),
  );
  await insertLabels(db, engine, numbered.flatMap(labelRows));
  await insertOutcomes(db, engine, suppressed.map(outcomeRow));
  await countEmails(db, engine, [
    ...emails.map(({ workspaceId }) => ({ workspaceId, status: "accepted", change: 1 }) as const),
    ...suppressed.map(
      ({ email }) => ({ workspaceId: email.workspaceId, status: "suppressed", change: 1 }) as const,
    ),
  ]);
}

/** Separates e-mails without remaining recipients from the others. */
function parted(numbered: readonly Numbered[]): [suppressed: Numbered[], waiting: Numbered[]] {
  const parts: [Numbered[], Numbered[]] = [[], []];
  for (const one of numbered)
    parts[one.email.recipients.every(({ suppressedBy }) => suppressedBy !== undefined) ? 0 : 1].push(one);
  return parts;
}

const outcomeRow = ({ id, email }: Numbered) => ({
  email_id: id,
  workspace_id: email.workspaceId ?? null,
  status: "suppressed",
  settled_at: email.createdAt,
});

const queueRow = (one: Numbered, payload: string) => ({
  email_id: one.id,
  route: one.email.route,
  lane: one.email.lane,
  due_at: one.email.dueAt,
  queued_at: one.email.queuedAt,
  bytes: sizeOf(one, payload),
});

function recipientRows({ id, email }: Numbered) {
  const inOrder = [...email.recipients].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  return inOrder.map(({ kind, name, address, suppressedBy }, position) => ({
    email_id: id,
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

/** The e-mails' label rows. The service's own mails are not searchable. */
function labelRows({ id, email }: Numbered) {
  const { workspaceId } = email;
  return workspaceId === undefined
    ? []
    : labelsOf(email).map((label) => ({ email_id: id, label, workspace_id: workspaceId }));
}

/** Bytes that a worker will read of an e-mail alone. */
function sizeOf({ email, metadataText }: Numbered, payload: string): number {
  const { byteLength } = Buffer;
  const { subject, recipients, literalBytes = 0 } = email;
  let bytes = literalBytes + byteLength(payload) + byteLength(subject) + byteLength(metadataText);
  for (const { name, address } of recipients) bytes += byteLength(name) + byteLength(address);
  return bytes;
}

function emailRow(email: NewEmail): Omit<NewRow<"emails">, "id"> {
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
    tags: email.tags.length === 0 ? "[]" : JSON.stringify(email.tags),
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
