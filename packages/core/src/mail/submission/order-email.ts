import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { NewRecipient } from "../../ports/storage/emails.ts";
import type { NewContent } from "../../ports/storage/templates.ts";
import type { SendingContext, Suppression } from "../../ports/storage.ts";
import { formatMailbox } from "../../rules/addresses.ts";
import { digest } from "../../rules/tokens.ts";
import { findSuppressed } from "../../suppressions/find-suppressed.ts";
import { dayWindow, hourWindow } from "../../workspaces/rules/quota-windows.ts";
import { type EmailView, viewEmail } from "../emails/email-view.ts";
import { type EmailHappening, tidingsOf } from "../happenings.ts";
import type { Order, OrderedEmail, OrderOutcome } from "./accept-orders.ts";
import { findRoute } from "./find-route.ts";
import type { EmailUnsubscription } from "./open-unsubscription.ts";

/** What a send asks for, once its content is known. */
export interface EmailRequest {
  template: { name: string; versionId: string } | undefined;
  /** The id of a kept content, or a new one. */
  content: number | NewContent;
  stylesheetSetId: number | undefined;
  /** Rendered. */
  subject: string;
  /** Placeholder values; `literal` content has none. */
  data: Record<string, unknown>;
  literal: boolean;
  test: boolean;
  unsubscription: EmailUnsubscription | undefined;
  from: Mailbox;
  /** Whether it goes only as long as the sender's domain is a verified one. */
  requiresDomain: boolean;
  /** Whether a key of the workspace's signs for the sender. */
  isSigned: boolean;
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  replyTo: Mailbox[];
  headers: Record<string, string>;
  tags: string[];
  metadata: Record<string, unknown>;
  /** The server that it is to go through. */
  smtpServerId: string | undefined;
  scheduledAt: number | undefined;
  idempotencyKey: string | undefined;
  /** What the digest for `idempotencyKey` is taken of. */
  input: unknown;
}

/** Has the e-mail accepted; its view, or the first answer where the same request came before. Throws what refuses it. */
export async function orderEmail(
  context: ReadContext<"api_key" | "emails:test">,
  sending: SendingContext,
  request: EmailRequest,
): Promise<EmailView> {
  const suppressed = await suppressedOf(context, sending, request);
  const email = createEmail(context, sending, request, suppressed);
  const view = viewEmail({
    ...email,
    status: email.scheduledAt === undefined ? "queued" : "scheduled",
    sentAt: undefined,
    to: request.to.map(({ address }) => address),
    attachments: [],
  });
  const order = createOrder(context, sending, request, { email, view, suppressed });
  const outcome = await context.sending
    .accept(order)
    .catch((error: unknown) => refuseIfGone(context, sending.workspaceId, error));
  return answer(context, outcome, view);
}

/** Who gets nothing. Throws `all_recipients_suppressed` where nobody is left. */
async function suppressedOf(
  context: ReadContext,
  { workspaceId }: SendingContext,
  { to, cc, bcc, unsubscription }: EmailRequest,
): Promise<Map<string, Suppression>> {
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => address);
  const question = { workspaceId, list: unsubscription?.list, now: context.now };
  const suppressed = await findSuppressed(context.sending.lookups, question, addresses);
  if (suppressed.size < addresses.length) return suppressed;
  const recipients = [...suppressed].map(([address, { scope, origin, createdAt }]) => ({
    address,
    scope,
    origin,
    since: new Date(createdAt).toISOString(),
  }));
  throw new ServiceError("all_recipients_suppressed", { details: { recipients } });
}

/** The workspace may have been deleted since it was looked up: then that is the fault, and no other. */
async function refuseIfGone({ storage }: ReadContext, workspaceId: number, error: unknown): Promise<never> {
  const exists = await storage.workspaces.find(workspaceId).catch(() => true);
  if (exists === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
  throw error;
}

function createEmail(
  context: ReadContext,
  sending: SendingContext,
  request: EmailRequest,
  suppressed: Map<string, Suppression>,
): OrderedEmail {
  const recipients = (["to", "cc", "bcc"] as const).flatMap((kind) =>
    request[kind].map((one): NewRecipient => {
      const suppressedBy = suppressed.get(one.address)?.origin;
      return { kind, ...one, ...(suppressedBy === undefined ? {} : { suppressedBy }) };
    }),
  );
  const scheduledAt =
    request.scheduledAt !== undefined && request.scheduledAt > context.now ? request.scheduledAt : undefined;
  return {
    id: request.unsubscription?.emailId ?? context.runtime.newId(),
    workspaceId: sending.workspaceId,
    apiKeyId: context.caller.kind === "api_key" ? context.caller.apiKeyId : undefined,
    batchId: undefined,
    template: request.template?.name,
    templateVersionId: request.template?.versionId,
    content: request.content,
    stylesheetSetId: request.stylesheetSetId,
    smtpServerId: request.smtpServerId,
    from: formatMailbox(request.from),
    subject: request.subject,
    tags: request.tags,
    payload: {
      from: request.from,
      replyTo: request.replyTo,
      headers: Object.entries(request.headers).map(([name, value]) => ({ name, value })),
      data: request.data,
      literal: request.literal,
      ...(request.unsubscription === undefined ? {} : { unsubscribe: linkOf(request.unsubscription) }),
      ...(request.requiresDomain && { requiresDomain: true }),
    },
    metadata: request.metadata,
    route: findRoute(context.runtime, sending, request),
    lane: 1,
    createdAt: context.now,
    scheduledAt,
    recipients,
    dueAt: scheduledAt ?? context.runtime.queueClock.now(),
  };
}

const linkOf = ({ list, url }: EmailUnsubscription) => ({ list, url });

function createOrder(
  context: ReadContext,
  sending: SendingContext,
  request: EmailRequest,
  { email, view, suppressed }: { email: OrderedEmail; view: EmailView; suppressed: Map<string, Suppression> },
): Order {
  const { now, caller } = context;
  const { hourlyRateLimit, dailyRateLimit } = sending.limits;
  const metadata = {
    template: request.template?.name ?? "",
    recipients: email.recipients.length - suppressed.size,
    test: request.test,
  };
  const skipped = [...suppressed].map(([recipient, { origin }]): EmailHappening => {
    const about = { recipient, origin };
    return { type: "email.suppressed", email, at: now, metadata: about, data: about };
  });
  const { events, deliveries } = tidingsOf(
    context.runtime,
    [{ type: "email.queued", email, at: now, metadata }, ...skipped],
    { caller, clientIp: context.client.ip },
    () => sending.webhooks,
  );
  return {
    emails: [email],
    usage: {
      workspaceId: sending.workspaceId,
      recipients: email.recipients.length - suppressed.size,
      hour: { start: hourWindow(now).start, limit: hourlyRateLimit },
      day: { start: dayWindow(now).start, limit: dailyRateLimit },
    },
    events,
    deliveries,
    usedKeyId: keyToNote(context),
    idempotency:
      request.idempotencyKey === undefined
        ? undefined
        : {
            apiKeyId: keyHolder(email.apiKeyId, sending.workspaceId),
            key: request.idempotencyKey,
            bodyDigest: bodyDigest(request.input),
            answer: JSON.stringify(view),
          },
    now,
  };
}

/** Whose `Idempotency-Key`s are told apart: an API key's, or where the host sends, the workspace's. */
export const keyHolder = (apiKeyId: string | undefined, workspaceId: number): string =>
  apiKeyId ?? `workspace:${workspaceId}`;

/** What tells whether two requests under one `Idempotency-Key` are the same. */
export const bodyDigest = (input: unknown): string => digest(JSON.stringify(input));

/** The key whose last use is to be noted: at most once a minute, so that sending does not write the same row each time. */
function keyToNote({ caller, now }: ReadContext): string | undefined {
  if (caller.kind !== "api_key") return undefined;
  return caller.lastUsedAt === undefined || caller.lastUsedAt < now - 60_000 ? caller.apiKeyId : undefined;
}

function answer(context: ReadContext, outcome: OrderOutcome, view: EmailView): EmailView {
  if (outcome.kind === "accepted") return view;
  if (outcome.kind === "replayed") return JSON.parse(outcome.answer) as EmailView;
  if (outcome.kind === "reused") throw new ServiceError("idempotency_key_reused");
  const { window, used, limit } = outcome.usage;
  const { resetsAt } = (window === "hour" ? hourWindow : dayWindow)(context.now);
  throw new ServiceError("rate_limited", {
    message: `The plan's ${window === "hour" ? "hourly" : "daily"} limit of ${limit} recipients is reached.`,
    retryAfter: Math.max(1, Math.ceil((resetsAt - context.now) / 1000)),
    details: {
      limit: window === "hour" ? "hourly_rate_limit" : "daily_rate_limit",
      value: limit,
      used,
      resets_at: new Date(resetsAt).toISOString(),
    },
  });
}
