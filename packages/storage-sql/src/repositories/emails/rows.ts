import type { Email, EmailAttempt, EmailPayload, EmailRecipient, EmailStatus } from "@posthorn/core/storage";
import type { Selectable } from "kysely";
import type { EmailAttemptsTable, EmailRecipientsTable, EmailsTable } from "../../tables.ts";

/** The JSON of a payload. `data` stands first, so that SQL can tell sealed data by the text's beginning (`sealedPrefix`). */
export function payloadText({ data, ...rest }: EmailPayload): string {
  return JSON.stringify({ data, ...rest });
}

/** How the JSON of a payload begins whose data is sealed. */
export const sealedPrefix = '{"data":"';

/** A payload without its sealed data; text that can't be read stays as it is. */
export function withoutSealedData(text: string): string {
  const payload = parsePayload(text);
  return payload ? payloadText({ ...payload, data: {} }) : text;
}

/** `undefined` where the text is not that of a payload: a damaged row must hurt nobody else. */
export function parsePayload(text: string): EmailPayload | undefined {
  const payload = parseJson(text) as Partial<EmailPayload> | undefined;
  if (typeof payload?.from?.address !== "string") return undefined;
  if (!Array.isArray(payload.replyTo) || !Array.isArray(payload.headers)) return undefined;
  return {
    from: payload.from,
    replyTo: payload.replyTo,
    headers: payload.headers,
    data: payload.data ?? {},
    literal: payload.literal ?? false,
    metadata: payload.metadata ?? {},
    test: payload.test ?? false,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseTexts(text: string): string[] {
  const texts = parseJson(text);
  return Array.isArray(texts) ? texts.map(String) : [];
}

const noPayload: EmailPayload = {
  from: { name: "", address: "" },
  replyTo: [],
  headers: [],
  data: {},
  literal: true,
  metadata: {},
  test: false,
};

/** A row of `emails` as the port has it. Without a payload it shows an empty one where the row's is damaged. */
export function toEmail(
  row: Selectable<EmailsTable>,
  status: EmailStatus,
  payload: EmailPayload = parsePayload(row.payload) ?? noPayload,
): Email {
  return {
    id: row.uuid,
    workspaceId: row.workspace_id ?? undefined,
    status,
    template: row.template ?? undefined,
    templateVersionId: row.template_version_id ?? undefined,
    contentId: row.content_id,
    stylesheetSetId: row.stylesheet_set_id ?? undefined,
    from: row.from_text,
    subject: row.subject,
    to: parseTexts(row.to_addresses),
    tags: parseTexts(row.tags),
    payload,
    createdAt: row.created_at,
    scheduledAt: row.scheduled_at ?? undefined,
    sentAt: row.sent_at ?? undefined,
  };
}

export function toRecipient(row: Selectable<EmailRecipientsTable>): EmailRecipient {
  return {
    kind: row.kind as EmailRecipient["kind"],
    name: row.name,
    address: row.address,
    state: row.state as EmailRecipient["state"],
    attempts: row.attempts,
    lastCode: row.last_code ?? undefined,
    lastReply: row.last_reply,
    settledAt: row.settled_at ?? undefined,
  };
}

export function toAttempt(row: Selectable<EmailAttemptsTable>): EmailAttempt {
  return {
    number: row.number,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    worker: row.worker,
    outcome: row.outcome as EmailAttempt["outcome"],
    inDoubt: Boolean(row.in_doubt),
    reply: row.reply,
  };
}
