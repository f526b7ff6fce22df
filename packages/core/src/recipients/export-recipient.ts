import { z } from "zod";
import { type ReadContext, useCase } from "../calls/use-case.ts";
import { checkedPieces } from "../files/checked-pieces.ts";
import type { FileView } from "../mail/emails/get-email-attachment.ts";
import {
  type AttachmentItem,
  type Person,
  type RecipientDetails,
  type RecipientHits,
  searchedLogs,
} from "../ports/storage.ts";
import { formatMailbox } from "../rules/addresses.ts";
import { hashedUnder } from "../suppressions/rules/hashed-key.ts";
import { personField, personOf } from "./person-field.ts";

/** Number of campaigns that are read at once: each may have 256 KiB of values. */
const campaignsAtOnce = 5;

/**
 * Exports all of the workspace's data about a recipient (platform.md P12) as NDJSON: one JSON object per line, each
 * with its `type`. It is read in pieces while it is consumed, so that any size is possible.
 */
export const exportRecipient = useCase({
  access: "recipients:export",
  reads: true,
  readsOn: true,
  input: z.strictObject({ email: personField }),
  async run(asked, { email }): Promise<FileView> {
    const context = { ...asked, piece: checkedPieces(asked, "recipients:export") };
    return {
      filename: "recipient.ndjson",
      contentType: "application/x-ndjson",
      size: undefined,
      content: encode(tell(context, personOf(context.workspace.id, email))),
    };
  },
});

type Line = { type: string } & Record<string, unknown>;

/** Yields after each piece, also one without lines: only there a reader that has left ends the search. */
async function* encode(pieces: AsyncIterable<Line[]>): AsyncGenerator<Uint8Array> {
  for await (const lines of pieces)
    yield Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function* tell(context: ReadContext<"recipients:export">, person: Person): AsyncGenerator<Line[]> {
  const { storage } = context;
  yield await findSuppressions(context, person);
  const days = await storage.recipients.bounceDays(person);
  yield days.map(({ category, day }) => ({
    type: "bounce_day",
    category,
    day: time(day * 86_400_000)?.slice(0, 10),
  }));
  yield* tellCampaigns(context, person);
  yield* tellEmails(context, person);
  for (const log of searchedLogs) yield* tellLog(context, person, log);
}

const time = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

async function findSuppressions(
  { storage, acceptance }: ReadContext<"recipients:export">,
  { workspaceId, addressKey }: Person,
): Promise<Line[]> {
  const key = await acceptance.lookups.erasureKey(workspaceId);
  const keys = [addressKey, ...(key === undefined ? [] : [hashedUnder(key, addressKey)])];
  const entries = await storage.suppressions.findUnder(keys.map((one) => ({ workspaceId, addressKey: one })));
  // Databases return them in any order.
  entries.sort((one, other) => one.createdAt - other.createdAt || (one.scope < other.scope ? -1 : 1));
  return entries.map(({ scope, origin, reason, emailId, createdAt, expiresAt, address }) => ({
    type: "suppression",
    address,
    scope,
    origin,
    reason,
    email_id: emailId ?? null,
    created_at: time(createdAt),
    expires_at: time(expiresAt) ?? null,
  }));
}

async function* tellCampaigns(
  { storage: { recipients }, piece }: ReadContext<"recipients:export">,
  person: Person,
): AsyncGenerator<Line[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const places = await piece(() => recipients.listedIn(person, from, campaignsAtOnce));
    yield places.map(({ campaignId, campaign, templateData, emailId, ...place }) => ({
      type: "campaign_recipient",
      campaign_id: campaignId,
      campaign,
      name: place.name,
      address: place.address,
      state: place.state,
      reason: place.reason,
      email_id: emailId ?? null,
      template_data: templateData,
    }));
    after = places.length < campaignsAtOnce ? undefined : places.at(-1)?.campaignId;
  }
}

async function* tellEmails(
  { storage: { attachments, recipients }, now, piece }: ReadContext<"recipients:export">,
  person: Person,
): AsyncGenerator<Line[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const { emails, next, files } = await piece(async () => {
      const read = await recipients.readEmails(person, from, now);
      const sets = read.emails.flatMap(({ email }) => email.attachmentSetId ?? []);
      return { ...read, files: await attachments.listItems(sets) };
    });
    yield emails.map(({ email, recipient, hits, attempts, payload, content }) => ({
      type: "email",
      id: email.id,
      status: email.status,
      from: email.from,
      sender: payload?.sender === undefined ? null : formatMailbox(payload.sender),
      reply_to: payload?.replyTo.map(formatMailbox) ?? [],
      headers: Object.fromEntries((payload?.headers ?? []).map(({ name, value }) => [name, value])),
      unsubscribe_list: payload?.unsubscribe?.list ?? null,
      subject: email.subject,
      template: email.template ?? null,
      tags: email.tags,
      metadata: email.metadata,
      created_at: time(email.createdAt),
      sent_at: time(email.sentAt) ?? null,
      recipient: ownPart(recipient),
      hits: hits.map(hitsPart),
      attempts,
      template_data: payload?.data ?? null,
      html: content?.html ?? null,
      text: content?.text ?? null,
      calendar: payload?.calendar ?? null,
      attachments: (files.get(email.attachmentSetId ?? 0) ?? []).map(filePart),
    }));
    after = next;
  }
}

/** What an e-mail's row says of the person, by the names that the API has for it. */
const ownPart = (recipient: RecipientDetails) => ({
  kind: recipient.kind,
  name: recipient.name,
  address: recipient.address,
  state: recipient.state,
  attempts: recipient.attempts,
  code: recipient.code ?? null,
  last_reply: recipient.lastReply,
  enhanced_code: recipient.enhancedCode ?? null,
  class: recipient.class ?? null,
  category: recipient.category ?? null,
  bounced_at: time(recipient.bouncedAt) ?? null,
  complained_at: time(recipient.complainedAt) ?? null,
  remote_id: recipient.remoteId ?? null,
  settled_at: time(recipient.settledAt) ?? null,
});

const filePart = ({ filename, contentType, size, contentId }: AttachmentItem) => ({
  filename,
  content_type: contentType,
  size,
  content_id: contentId ?? null,
});

/** The person's opens or clicks. Those of a message to several are nobody's. */
const hitsPart = (hits: RecipientHits) => ({
  kind: hits.kind,
  count: hits.count,
  human_count: hits.humanCount,
  first_at: time(hits.firstAt),
  first_human_at: time(hits.firstHumanAt) ?? null,
  agent_class: hits.agentClass,
  machine_reason: hits.machineReason ?? null,
  address: hits.address ?? null,
  user_agent: hits.agent ?? null,
});

async function* tellLog(
  { storage: { recipients }, piece }: ReadContext<"recipients:export">,
  person: Person,
  log: (typeof searchedLogs)[number],
): AsyncGenerator<Line[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    const { rows, next } = await piece(() => recipients.search(log, person, from));
    yield rows.map((row) => ({ type: log, row }));
    after = next;
  }
}
