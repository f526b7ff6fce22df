import { z } from "zod";
import { type ReadContext, useCase } from "../calls/use-case.ts";
import type { FileView } from "../mail/emails/get-email-attachment.ts";
import type { RecipientDetails } from "../ports/storage/email-recipients.ts";
import { type Person, type RecipientHits, searchedLogs } from "../ports/storage.ts";
import { hashedUnder } from "../suppressions/rules/hashed-key.ts";
import { personField, personOf } from "./person-field.ts";

/** Number of e-mails or campaigns that are read at once: each may have 256 KiB of values. */
const atOnce = 5;

/**
 * Exports all of the workspace's data about a recipient (platform.md P12) as NDJSON: one JSON object per line, each
 * with its `type`. It is read in pieces while it is consumed, so that any size is possible.
 */
export const exportRecipient = useCase({
  access: "recipients:export",
  reads: true,
  readsOn: true,
  input: z.strictObject({ email: personField }),
  async run(context, { email }): Promise<FileView> {
    return {
      filename: "recipient.ndjson",
      contentType: "application/x-ndjson",
      size: undefined,
      content: encode(tell(context, personOf(context.workspace.id, email))),
    };
  },
});

type Line = { type: string } & Record<string, unknown>;

async function* encode(lines: AsyncIterable<Line>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

async function* tell(context: ReadContext<"recipients:export">, person: Person): AsyncGenerator<Line> {
  const { storage } = context;
  yield* tellSuppressions(context, person);
  for (const { category, day } of await storage.recipients.bounceDays(person))
    yield { type: "bounce_day", category, day: time(day * 86_400_000)?.slice(0, 10) };
  yield* tellCampaigns(context, person);
  yield* tellEmails(context, person);
  for (const log of searchedLogs) yield* tellLog(context, person, log);
}

const time = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

async function* tellSuppressions(
  { storage, sending }: ReadContext<"recipients:export">,
  { workspaceId, addressKey }: Person,
): AsyncGenerator<Line> {
  const key = await sending.lookups.erasureKey(workspaceId);
  const keys = [addressKey, ...(key === undefined ? [] : [hashedUnder(key, addressKey)])];
  const entries = await storage.suppressions.findUnder(keys.map((one) => ({ workspaceId, addressKey: one })));
  for (const { scope, origin, reason, createdAt, expiresAt, address } of entries)
    yield {
      type: "suppression",
      address,
      scope,
      origin,
      reason,
      created_at: time(createdAt),
      expires_at: time(expiresAt) ?? null,
    };
}

async function* tellCampaigns(
  { storage: { recipients }, pause }: ReadContext<"recipients:export">,
  person: Person,
): AsyncGenerator<Line> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const places: Awaited<ReturnType<typeof recipients.listedIn>> = await recipients.listedIn(
      person,
      after,
      atOnce,
    );
    for (const { campaignId, campaign, name, state, templateData } of places)
      yield {
        type: "campaign_recipient",
        campaign_id: campaignId,
        campaign,
        name,
        state,
        template_data: templateData,
      };
    await pause();
    after = places.length < atOnce ? undefined : places.at(-1)?.campaignId;
  }
}

async function* tellEmails(
  { storage, now, pause }: ReadContext<"recipients:export">,
  person: Person,
): AsyncGenerator<Line> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const found: Awaited<ReturnType<typeof storage.recipients.emailsTo>> = await storage.recipients.emailsTo(
      person,
      after,
      atOnce,
    );
    const values = await storage.recipients.valuesOf(found.map(({ row }) => row));
    for (const { row, id, position } of found) {
      const email = await storage.emails.find(person.workspaceId, id, now);
      const recipient = (await storage.emails.recipients(id))[position];
      if (email === undefined || recipient === undefined) continue;
      yield {
        type: "email",
        id,
        status: email.status,
        from: email.from,
        subject: email.subject,
        template: email.template ?? null,
        tags: email.tags,
        metadata: email.metadata,
        created_at: time(email.createdAt),
        sent_at: time(email.sentAt) ?? null,
        recipient: ownPart(recipient),
        hits: (await storage.tracking.list(row)).filter((hits) => hits.position === position).map(hitsPart),
        attempts: (await storage.emails.attempts(id)).map(({ number, outcome, reply }) => ({
          number,
          outcome,
          reply,
        })),
        template_data: values.get(row) ?? null,
      };
    }
    await pause();
    after = found.length < atOnce ? undefined : found.at(-1)?.row;
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
): AsyncGenerator<Line> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    const { rows, next } = await piece(() => recipients.search(log, person, from));
    for (const row of rows) yield { type: log, row };
    after = next;
  }
}
