import {
  type Email,
  type EmailAttempt,
  type EmailOrigin,
  type EmailPayload,
  type EmailRecipient,
  type EmailStatus,
  type Lane,
  type RecipientDetails,
  readStored,
  readStoredList,
  readStoredObject,
} from "@posthorn/core/storage";
import type { Row } from "../../../tables.ts";

/** Serialises a payload as JSON. */
export const payloadText = (payload: EmailPayload): string => JSON.stringify(payload);

/** Serialises an e-mail's origin as JSON; `null` if it has none. */
export function originText(origin: EmailOrigin = {}): string | null {
  const text = JSON.stringify(origin);
  return text === "{}" ? null : text;
}

export const parseOrigin = (text: string | null): EmailOrigin =>
  text === null ? {} : readStoredObject(text);

/** Whether a payload holds a secret, to be removed once the e-mail is settled. */
export const isSealed = ({ data }: EmailPayload): boolean => typeof data === "string";

/** `undefined` if the text is not a payload: a damaged row must not affect others. */
export function parsePayload(text: string): EmailPayload | undefined {
  const payload = readStored(text) as Partial<EmailPayload> | undefined;
  if (typeof payload?.from?.address !== "string") return undefined;
  if (!Array.isArray(payload.replyTo) || !Array.isArray(payload.headers)) return undefined;
  return {
    from: payload.from,
    replyTo: payload.replyTo,
    headers: payload.headers,
    data: payload.data ?? {},
    literal: payload.literal ?? false,
    // Properties after a spread are added one by one, which costs several times as much.
    ...(payload.sender === undefined ? {} : { sender: payload.sender }),
    ...(payload.calendar === undefined ? {} : { calendar: payload.calendar }),
    ...(payload.unsubscribe === undefined ? {} : { unsubscribe: payload.unsubscribe }),
    ...(payload.requiresDomain === true && { requiresDomain: true }),
    ...(payload.ownServersOnly === true && { ownServersOnly: true }),
    ...(payload.tracking === undefined ? {} : { tracking: payload.tracking }),
    ...(typeof payload.date === "number" ? { date: payload.date } : {}),
  };
}

/** Reads a stored list of texts; an empty one if it is damaged. */
export const parseTexts = (text: string): string[] => readStoredList(text).map(String);

/** The outcome of an e-mail. */
interface Outcome {
  status: EmailStatus;
  settledAt: number | undefined;
}

/** Converts a row of `emails` for the port. */
export const toEmail = (row: Row<"emails">, { status, settledAt }: Outcome): Email => ({
  id: row.uuid,
  workspaceId: row.workspace_id ?? undefined,
  status,
  template: row.template ?? undefined,
  templateVersionId: row.template_version_id ?? undefined,
  contentId: row.content_id ?? undefined,
  stylesheetSetId: row.stylesheet_set_id ?? undefined,
  smtpServerId: row.smtp_server_id ?? undefined,
  from: row.from_text,
  subject: row.subject,
  to: parseTexts(row.to_addresses),
  tags: parseTexts(row.tags),
  metadata: readStoredObject(row.metadata),
  createdAt: row.created_at,
  scheduledAt: row.scheduled_at ?? undefined,
  deliverBefore: row.deliver_before ?? undefined,
  lane: row.lane as Lane,
  batchId: row.batch_id ?? undefined,
  isSensitive: Boolean(row.is_sensitive),
  sentAt: status === "sent" || status === "partially_sent" ? settledAt : undefined,
  ...(row.campaign_id === null ? {} : { campaignId: row.campaign_id }),
  ...(row.attachment_set_id === null ? {} : { attachmentSetId: row.attachment_set_id }),
  ...(row.batch_index === null ? {} : { batchIndex: row.batch_index }),
});

export function toRecipient(row: Row<"email_recipients">): EmailRecipient {
  return {
    kind: row.kind as EmailRecipient["kind"],
    name: row.name,
    address: row.address,
    state: row.state as EmailRecipient["state"],
    attempts: row.attempts,
    code: row.last_code ?? undefined,
    lastReply: row.last_reply,
    remoteId: row.remote_id ?? undefined,
    domainMissingSince: row.missing_since ?? undefined,
    settledAt: row.settled_at ?? undefined,
  };
}

interface RecipientDetailsRow extends Row<"email_recipients"> {
  bounce_class: string | null;
  category: string | null;
  enhanced_code: string | null;
  bounced_at: number | null;
  complained_at: number | null;
}

/** A recipient with its bounce and its complaint. */
export const toRecipientDetails = (row: RecipientDetailsRow): RecipientDetails => ({
  ...toRecipient(row),
  class: row.bounce_class ?? undefined,
  category: row.category ?? undefined,
  enhancedCode: row.enhanced_code ?? undefined,
  bouncedAt: row.bounced_at ?? undefined,
  complainedAt: row.complained_at ?? undefined,
});

export function toAttempt(row: Row<"email_attempts">): EmailAttempt {
  return {
    number: row.number,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    worker: row.worker,
    outcome: row.outcome as EmailAttempt["outcome"],
    inDoubt: Boolean(row.in_doubt),
    reply: row.reply,
    smtpServerId: row.smtp_server_id ?? undefined,
    trace: row.trace ?? undefined,
  };
}
