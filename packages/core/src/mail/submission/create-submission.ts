import type { Caller } from "../../calls/caller.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { EmailOrigin, Lane, NewContent } from "../../ports/storage.ts";
import { formatMailbox } from "../../rules/addresses.ts";
import { canonicalJson } from "../../rules/canonical-json.ts";
import { digest } from "../../rules/tokens.ts";
import { decideTracking } from "../../tracking/decide-tracking.ts";
import {
  chargedTo,
  type Idempotency,
  type Submission,
  type SubmissionItem,
  type SubmittedEmail,
} from "../acceptance/submission.ts";
import { viewFile } from "../attachments/attachment-view.ts";
import { notificationsOf } from "../email-events.ts";
import { type EmailView, viewEmail } from "../emails/email-view.ts";
import type { EmailEvent } from "../notifications.ts";
import type { EmailDraft, SubmittingContext } from "./email-draft.ts";
import { sealContent } from "./sealed-content.ts";
import type { SendFields } from "./send-fields.ts";

/** A sending call as parsed: the digest for its `idempotencyKey` covers all of it. */
export interface SubmissionCall {
  idempotencyKey?: string | undefined;
  whenLimited?: "refuse" | "defer";
}

/** Makes the submission of one e-mail. */
export const createSubmission = (
  context: SubmittingContext,
  draft: EmailDraft,
  from: Mailbox,
  call: SubmissionCall,
): Submission =>
  submissionOf(context, draft, [createItem(context, draft, from, call)], {
    call,
    answerFor: ([item]) => (item === undefined ? "" : JSON.stringify(viewItem(item))),
    isSensitive: draft.fields.sensitive,
  });

/** Makes a submission of e-mails of one workspace. */
export function submissionOf(
  context: SubmittingContext,
  { workspace }: Pick<EmailDraft, "workspace">,
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
  const { workspaceId, limits } = workspace;
  const { idempotencyKey: key } = call;
  return {
    workspaceId,
    items,
    limits: { hour: limits.hourlyRateLimit, day: limits.dailyRateLimit },
    whenLimited: call.whenLimited ?? "refuse",
    usedKeyId: keyToNote(context),
    idempotency:
      key === undefined
        ? undefined
        : {
            apiKeyId: keyHolder(caller, workspaceId),
            key,
            bodyDigest: bodyDigest(context, call, isSensitive),
            answerFor,
          },
    batchOf,
    preparedAt: batchOf && context.runtime.queueClock.now(),
    now,
  };
}

/** Makes an e-mail's rows, with its events and webhook deliveries. */
export function createItem(
  context: SubmittingContext,
  draft: EmailDraft,
  from: Mailbox,
  call: Pick<SubmissionCall, "idempotencyKey"> = {},
): SubmissionItem {
  const email = createEmail(context, draft, from, originOf(context, draft, call));
  const { now, caller } = context;
  const recipients = chargedTo(email);
  const metadata = { template: email.template ?? "", recipients, test: draft.isTest };
  // An e-mail without recipients is never queued.
  const queued: EmailEvent[] = recipients > 0 ? [{ type: "email.queued", email, at: now, metadata }] : [];
  const skipped = email.recipients.flatMap(({ address: recipient, suppressedBy: origin }): EmailEvent[] => {
    if (origin === undefined) return [];
    const about = { recipient, origin };
    return [{ type: "email.suppressed", email, at: now, metadata: about, data: about }];
  });
  const { events, deliveries } = notificationsOf(
    context.runtime,
    [...queued, ...skipped],
    { caller, clientIp: context.client.ip },
    () => draft.workspace.webhooks,
  );
  return { email, dedupeKey: draft.fields.dedupeKey, events, deliveries };
}

function originOf(
  { caller, client }: SubmittingContext,
  { fields, requiresDomain, workspace: { limits } }: EmailDraft,
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

/** Returns the status of an e-mail that was just accepted. */
export function statusOf(email: SubmittedEmail): "queued" | "scheduled" | "suppressed" {
  if (chargedTo(email) === 0) return "suppressed";
  return email.scheduledAt === undefined ? "queued" : "scheduled";
}

/** Makes the answer for an e-mail that was just accepted. */
export const viewItem = ({ email }: SubmissionItem): EmailView =>
  viewEmail(email, {
    attachments: email.files?.set.items.map(viewFile) ?? [],
    status: statusOf(email),
    sentAt: undefined,
    to: email.recipients.filter(({ kind }) => kind === "to").map(({ address }) => address),
  });

function createEmail(
  context: SubmittingContext,
  draft: EmailDraft,
  from: Mailbox,
  origin: EmailOrigin,
): SubmittedEmail {
  const { source, fields, workspace } = draft;
  const version = source.kind === "version" ? source : undefined;
  const { id, unsubscribe } = draft;
  const tracking = decideTracking(draft);
  const now = context.runtime.queueClock.now();
  const scheduledAt =
    fields.scheduledAt !== undefined && fields.scheduledAt > now ? fields.scheduledAt : undefined;
  return {
    id,
    workspaceId: workspace.workspaceId,
    apiKeyId: context.caller.kind === "api_key" ? context.caller.apiKeyId : undefined,
    batchId: undefined,
    // A campaign's own content belongs to no template.
    template: version?.version.templateName || undefined,
    templateVersionId: version?.version.versionId || undefined,
    content: contentOf(draft),
    literalBytes: source.kind === "literal" && !fields.sensitive ? bytesOf(source.content) : 0,
    files: draft.keptFiles,
    stylesheetSetId: version && workspace.stylesheetSetId,
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
      // Properties after a spread are added one by one, which costs several times as much.
      ...(fields.sender === undefined ? {} : { sender: fields.sender }),
      ...(fields.calendar === undefined || fields.sensitive ? {} : { calendar: fields.calendar }),
      ...(unsubscribe === undefined ? {} : { unsubscribe }),
      ...(draft.requiresDomain ? { requiresDomain: true } : {}),
      ...(draft.ownServersOnly ? { ownServersOnly: true } : {}),
      ...(tracking === undefined ? {} : { tracking }),
    },
    metadata: fields.metadata,
    route: draft.route,
    lane: laneOf[fields.priority],
    createdAt: context.now,
    scheduledAt,
    deliverBefore: fields.deliverBefore,
    recipients: draft.recipients,
    dueAt: scheduledAt ?? now,
    queuedAt: now,
    origin,
  };
}

function contentOf({ source, fields }: EmailDraft): SubmittedEmail["content"] {
  if (source.kind === "missing") throw source.reason;
  if (source.kind === "version") return source.version.contentId;
  // Sealed text must not be part of a content, because contents are shared and found by their text.
  return fields.sensitive ? noContent : source.content;
}

const bytesOf = ({ html, text }: NewContent): number => Buffer.byteLength(html) + Buffer.byteLength(text);

/** Content of an e-mail whose text is sealed elsewhere, or missing in a dry run. */
export const noContent: NewContent = { subject: "", html: "", text: "" };

const laneOf: Record<SendFields["priority"], Lane> = { high: 0, normal: 1, low: 2 };

/**
 * Returns the owner of `Idempotency-Key`s, which separates their namespaces: an API key, or the workspace if the host
 * sends.
 */
export const keyHolder = (caller: Caller, workspaceId: number): string =>
  caller.kind === "api_key" ? caller.apiKeyId : `workspace:${workspaceId}`;

/**
 * Returns a digest that identifies the request under an `Idempotency-Key`, whatever the order of its keys: some
 * languages write the same object in another order each time (platform.md P2).
 */
export function bodyDigest(
  { runtime }: Pick<SubmittingContext, "runtime">,
  input: unknown,
  isSensitive: boolean,
): string {
  const text = canonicalJson(input);
  // A digest of a short secret could be guessed by trial, so a sensitive request uses a keyed one.
  return isSensitive ? runtime.secrets.mac(text, "idempotency_keys:body_digest") : digest(text);
}

/**
 * Returns the API key whose last use is to be updated: at most once a minute, so that sends do not write the same row
 * each time.
 */
export function keyToNote({ caller, now }: Pick<ReadContext, "caller" | "now">): string | undefined {
  if (caller.kind !== "api_key") return undefined;
  return caller.lastUsedAt === undefined || caller.lastUsedAt < now - 60_000 ? caller.apiKeyId : undefined;
}
