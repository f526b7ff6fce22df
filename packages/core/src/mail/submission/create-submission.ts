import type { ReadContext } from "../../calls/use-case.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { EmailOrigin } from "../../ports/storage/emails.ts";
import type { Lane } from "../../ports/storage/lane.ts";
import { formatMailbox } from "../../rules/addresses.ts";
import { digest } from "../../rules/tokens.ts";
import { viewFile } from "../attachments/attachment-view.ts";
import { type EmailView, viewEmail } from "../emails/email-view.ts";
import { tidingsOf } from "../happenings.ts";
import type { EmailHappening } from "../tidings.ts";
import type { EmailDraft } from "./email-draft.ts";
import { sealContent } from "./sealed-content.ts";
import type { SendFields } from "./send-fields.ts";
import {
  chargedTo,
  type Idempotency,
  type Submission,
  type SubmissionItem,
  type SubmittedEmail,
} from "./submission.ts";

type Context = ReadContext<"api_key" | "emails:test" | "campaigns:write">;

/** A call that sends, as it was read: the digest for its `idempotencyKey` is taken of all of it. */
export interface SubmissionCall {
  idempotencyKey?: string | undefined;
  whenLimited?: "refuse" | "defer";
}

/** The submission of one e-mail. */
export const createSubmission = (
  context: Context,
  draft: EmailDraft,
  from: Mailbox,
  call: SubmissionCall,
): Submission =>
  submissionOf(context, draft, [createItem(context, draft, from, call)], {
    call,
    answerFor: ([item]) => (item === undefined ? "" : JSON.stringify(viewItem(item))),
    isSensitive: draft.fields.sensitive,
  });

/** E-mails of one workspace as a submission. */
export function submissionOf(
  context: Context,
  { sending }: Pick<EmailDraft, "sending">,
  items: SubmissionItem[],
  {
    call,
    answerFor,
    isSensitive,
    batchOf,
  }: Pick<Idempotency, "answerFor"> &
    Pick<Submission, "batchOf"> & { call: SubmissionCall; isSensitive: boolean },
): Submission {
  const { caller, now } = context;
  const { workspaceId, limits } = sending;
  const apiKeyId = caller.kind === "api_key" ? caller.apiKeyId : undefined;
  const { idempotencyKey: key } = call;
  const bodyOf = (): string => bodyDigest(context, call, isSensitive);
  return {
    workspaceId,
    items,
    limits: { hour: limits.hourlyRateLimit, day: limits.dailyRateLimit },
    whenLimited: call.whenLimited ?? "refuse",
    usedKeyId: keyToNote(context),
    idempotency:
      key === undefined
        ? undefined
        : { apiKeyId: keyHolder(apiKeyId, workspaceId), key, bodyDigest: bodyOf(), answerFor },
    batchOf,
    now,
  };
}

/** An e-mail as it would be recorded, and what tells of it. */
export function createItem(
  context: Context,
  draft: EmailDraft,
  from: Mailbox,
  call: Pick<SubmissionCall, "idempotencyKey"> = {},
): SubmissionItem {
  const email = { ...createEmail(context, draft, from), origin: originOf(context, draft, call) };
  const { now, caller } = context;
  const recipients = chargedTo(email);
  const metadata = { template: email.template ?? "", recipients, test: draft.isTest };
  // To nobody, it is never queued.
  const queued: EmailHappening[] = recipients > 0 ? [{ type: "email.queued", email, at: now, metadata }] : [];
  const skipped = email.recipients.flatMap(
    ({ address: recipient, suppressedBy: origin }): EmailHappening[] => {
      if (origin === undefined) return [];
      const about = { recipient, origin };
      return [{ type: "email.suppressed", email, at: now, metadata: about, data: about }];
    },
  );
  const { events, deliveries } = tidingsOf(
    context.runtime,
    [...queued, ...skipped],
    { caller, clientIp: context.client.ip },
    () => draft.sending.webhooks,
  );
  return { email, dedupeKey: draft.fields.dedupeKey, events, deliveries };
}

function originOf(
  { caller, client }: Context,
  { fields, requiresDomain, sending: { limits } }: EmailDraft,
  { idempotencyKey }: Pick<SubmissionCall, "idempotencyKey">,
): EmailOrigin {
  const [hour, day] = [limits.hourlyRateLimit, limits.dailyRateLimit];
  return {
    userId: caller.kind === "user" ? caller.userId : undefined,
    requestId: client.requestId,
    idempotencyKey,
    dedupeKey: fields.dedupeKey,
    requiresDomain: requiresDomain || undefined,
    limits: hour > 0 || day > 0 ? { hour, day } : undefined,
  };
}

/** The status of an e-mail that was just accepted. */
export function statusOf(email: SubmittedEmail): "queued" | "scheduled" | "suppressed" {
  if (chargedTo(email) === 0) return "suppressed";
  return email.scheduledAt === undefined ? "queued" : "scheduled";
}

/** The answer that tells of an e-mail that was just accepted. */
export const viewItem = ({ email }: SubmissionItem): EmailView =>
  viewEmail({
    ...email,
    attachments: email.files?.set.items.map(viewFile) ?? [],
    status: statusOf(email),
    sentAt: undefined,
    to: email.recipients.filter(({ kind }) => kind === "to").map(({ address }) => address),
  });

function createEmail(context: Context, draft: EmailDraft, from: Mailbox): SubmittedEmail {
  const { source, fields, sending } = draft;
  const version = source.kind === "version" ? source : undefined;
  const { id, unsubscribe } = draft;
  const now = context.runtime.queueClock.now();
  const scheduledAt =
    fields.scheduledAt !== undefined && fields.scheduledAt > now ? fields.scheduledAt : undefined;
  return {
    id,
    workspaceId: sending.workspaceId,
    apiKeyId: context.caller.kind === "api_key" ? context.caller.apiKeyId : undefined,
    batchId: undefined,
    // A campaign's own content is of no template.
    template: version?.version.templateName || undefined,
    templateVersionId: version?.version.versionId || undefined,
    content: contentOf(draft),
    files: draft.keptFiles,
    stylesheetSetId: version && sending.stylesheetSetId,
    smtpServerId: fields.smtpServerId,
    from: formatMailbox(from),
    subject: fields.sensitive ? "" : draft.subject,
    isSensitive: fields.sensitive,
    tags: fields.tags,
    payload: {
      from,
      replyTo: fields.replyTo,
      headers: Object.entries(fields.headers).map(([name, value]) => ({ name, value })),
      data: fields.sensitive ? sealContent(context.runtime, id, draft) : (version?.data ?? {}),
      literal: version === undefined,
      // Properties after a spread are added one by one, at several times the cost.
      ...(fields.sender === undefined ? {} : { sender: fields.sender }),
      ...(fields.calendar === undefined || fields.sensitive ? {} : { calendar: fields.calendar }),
      ...(unsubscribe === undefined ? {} : { unsubscribe }),
      ...(draft.requiresDomain ? { requiresDomain: true } : {}),
    },
    metadata: fields.metadata,
    route: draft.route,
    lane: laneOf[fields.priority],
    createdAt: context.now,
    scheduledAt,
    deliverBefore: fields.deliverBefore,
    recipients: draft.recipients,
    dueAt: scheduledAt ?? now,
  };
}

function contentOf({ source, fields }: EmailDraft): SubmittedEmail["content"] {
  if (source.kind === "missing") throw source.reason;
  if (source.kind === "version") return source.version.contentId;
  // What is sealed has no place in a content, which others with the same share and which is found by what it says.
  return fields.sensitive ? sealedElsewhere : source.content;
}

const sealedElsewhere = { subject: "", html: "", text: "" };

const laneOf: Record<SendFields["priority"], Lane> = { high: 0, normal: 1, low: 2 };

/** Whose `Idempotency-Key`s are told apart: an API key's, or where the host sends, the workspace's. */
export const keyHolder = (apiKeyId: string | undefined, workspaceId: number): string =>
  apiKeyId ?? `workspace:${workspaceId}`;

/** What tells whether two requests under one `Idempotency-Key` are the same. */
export function bodyDigest(
  { runtime }: Pick<Context, "runtime">,
  input: unknown,
  isSensitive: boolean,
): string {
  const text = JSON.stringify(input);
  // Without a key, a digest of a short secret is found out by trying.
  return isSensitive ? runtime.secrets.mac(text, "idempotency_keys:body_digest") : digest(text);
}

/** The key whose last use is to be noted: at most once a minute, so that sending does not write the same row each time. */
function keyToNote({ caller, now }: ReadContext): string | undefined {
  if (caller.kind !== "api_key") return undefined;
  return caller.lastUsedAt === undefined || caller.lastUsedAt < now - 60_000 ? caller.apiKeyId : undefined;
}
