import type { Composition } from "../../content/content-cache.ts";
import { joinParts } from "../../content/rendering/text-parts.ts";
import { privateKeyContext } from "../../domains/rules/dkim-names.ts";
import type { DkimKey, MailAttachment, MailMessage } from "../../ports/mailer.ts";
import type { ClaimedEmail } from "../../ports/storage/email-queue.ts";
import type { EmailPayload, EmailRecipient } from "../../ports/storage/emails.ts";
import type { Content, SendingDomain } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";
import type { Runtime } from "../../service/runtime.ts";
import { withLink } from "../submission/open-unsubscription.ts";
import type { SealedContent } from "../submission/sealed-content.ts";
import { feedbackFields, unsubscribeFields } from "./added-fields.ts";
import type { BodyPlace } from "./body-room.ts";

/**
 * Attempts that wait for the content to be finished. Later ones send it unfinished, because accepted mail must be sent.
 */
const patientAttempts = 2;

/** Thrown if an e-mail should be retried a little later, because its content is not finished. */
export class ContentUnfinished extends Error {
  override readonly name = "ContentUnfinished";
}

/** Thrown if the e-mail was accepted only because its sender's domain was verified, and it no longer is. */
export class DomainNoLongerVerified extends Error {
  override readonly name = "DomainGone";
  constructor(domain: string) {
    super(`domain removed, or no longer verified: ${domain}`);
  }
}

/**
 * Composes the message of a claimed e-mail for its open recipients; `undefined` if its content is gone. All but the
 * envelope and the signing key is the same at every attempt. `sealed` is the decrypted sealed part of its payload; a
 * rendered body takes its memory from `place`, which it may have to wait for.
 * Throws `TemplateLimitError`, `ContentUnfinished` and `DomainNoLongerVerified`.
 */
export async function composeMail(
  runtime: Runtime,
  claimed: ClaimedEmail,
  payload: EmailPayload,
  {
    open,
    files,
    sealed,
    place,
  }: { open: EmailRecipient[]; files: MailAttachment[]; sealed: SealedContent | undefined; place: BodyPlace },
): Promise<Composed | undefined> {
  const { email, recipients } = claimed;
  const kept: Body | undefined = sealed?.body;
  const [domain, literal] = await Promise.all([
    findDomain(runtime, claimed, payload),
    kept === undefined && payload.literal ? findLiteral(runtime, claimed) : undefined,
  ]);
  const rendering =
    kept ??
    (payload.literal ? literal : renderBody(runtime, claimed, { data: valuesOf(payload, sealed), place }));
  const body = rendering instanceof Promise ? await rendering : rendering;
  if (body === undefined) return undefined;
  const { from, sender, replyTo, headers, calendar = sealed?.calendar } = payload;
  const named = (kind: EmailRecipient["kind"]) =>
    recipients.filter((one) => one.kind === kind).map(({ name, address }) => ({ name, address }));
  const token = runtime.reportTokens.make({
    row: claimed.lease.row,
    position: recipients.length === 1 ? 0 : undefined,
  });
  const returnPath = domain?.returnPathDomain;
  const message: Draft = {
    emailId: email.id,
    messageId: `<${email.id}@${domainOf(from.address)}>`,
    date: email.scheduledAt ?? email.createdAt,
    from,
    to: named("to"),
    cc: named("cc"),
    replyTo,
    subject: sealed?.subject ?? email.subject,
    isSensitive: email.isSensitive,
    headers: [
      ...headers,
      ...unsubscribeFields(payload, { token, returnPath: returnPath ?? runtime.config.returnPathDomain }),
      { name: "X-Service-Email-Id", value: email.id },
      // For a single recipient the token names the recipient's position, which is the same at every attempt, however
      // many recipients are still open.
      { name: "X-Service-Ref", value: token },
      ...feedbackFields(email, { headers, token, returnPath }),
    ],
    attachments: files,
    envelope: { from: from.address, to: open.map(({ address }) => address) },
  };
  if (sender !== undefined) message.sender = sender;
  if (calendar !== undefined) message.calendar = calendar;
  if (domain !== undefined) message.dkim = openKeys(runtime, domain);
  if (domain?.tls === "required") message.requiresTls = true;
  return { message: withBody(message, body), returnPathDomain: returnPath };
}

type Draft = Omit<MailMessage, "html" | "text">;

/** A mail's body: stored texts, or the result of a template. */
type Body = Pick<MailMessage, "html" | "text"> | TemplateBody;
type TemplateBody = Required<Pick<MailMessage, "parts" | "missing">>;

/**
 * Joins the parts of a text on first access, which a mailer that takes parts never makes. It is one shared function, to
 * save memory per message.
 */
const joinedWhenRead = (kind: "html" | "text"): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get(this: Draft): string {
    const parts = this.parts?.[kind];
    return parts === undefined ? "" : joinParts(parts);
  },
});
const joinedHtml = joinedWhenRead("html");
const joinedText = joinedWhenRead("text");

function withBody(draft: Draft, body: Body): MailMessage {
  if ("html" in body) return Object.assign(draft, { html: body.html, text: body.text });
  draft.parts = body.parts;
  if (body.missing.length > 0) draft.missing = body.missing;
  Object.defineProperty(draft, "html", joinedHtml);
  Object.defineProperty(draft, "text", joinedText);
  return draft as MailMessage;
}

/** A message, with data for its transmission. */
export interface Composed {
  message: MailMessage;
  /** Domain for return paths of the sender, if mail to it reaches this service. */
  returnPathDomain: string | undefined;
}

/**
 * The sender's domain with its active keys; `undefined` if it is not the workspace's, in which case the mailer's own
 * keys may sign.
 */
async function findDomain(
  runtime: Runtime,
  { email: { workspaceId } }: ClaimedEmail,
  { from, requiresDomain = false }: EmailPayload,
): Promise<SendingDomain | undefined> {
  // The service's own mails belong to no workspace.
  if (workspaceId === undefined) return undefined;
  const domain = domainOf(from.address);
  const found = await runtime.sending.lookups.findSendingDomain({ workspaceId, domain });
  if (found === undefined && requiresDomain) throw new DomainNoLongerVerified(domain);
  return found;
}

const openKeys = ({ secrets }: Pick<Runtime, "secrets">, { id, name, keys }: SendingDomain): DkimKey[] =>
  keys.map(({ selector, privateKey }) => ({
    domain: name,
    selector,
    privateKey: secrets.open(privateKey, privateKeyContext(id, selector)),
  }));

/** Returns the values for an e-mail's template, including the sealed ones. */
const valuesOf = ({ data, unsubscribe }: EmailPayload, sealed: SealedContent | undefined) =>
  withLink(sealed?.data ?? (typeof data === "string" ? {} : data), unsubscribe);

const findLiteral = (
  { sending }: Runtime,
  { email: { contentId } }: ClaimedEmail,
): Promise<Content | undefined> | undefined =>
  contentId === undefined ? undefined : sending.contentCache.literal(contentId);

function renderBody(
  runtime: Runtime,
  { email, attempt, contentHash, stylesheetSetHash }: ClaimedEmail,
  { data, place }: { data: unknown; place: BodyPlace },
): Body | undefined | Promise<Body | undefined> {
  const { contentId, stylesheetSetId: setId } = email;
  if (contentId === undefined) return undefined;
  const finished = runtime.sending.contentCache.finished(
    { id: contentId, hash: contentHash },
    setId === undefined || stylesheetSetHash === undefined
      ? undefined
      : { id: setId, hash: stylesheetSetHash },
    email.workspaceId,
  );
  const write = (composition: Composition): TemplateBody & { size: number } => {
    const { html, text, missing, size } = composition.renderBody(data);
    return { parts: { html, text }, missing, size };
  };
  const render = (
    composition: Composition | undefined,
  ): TemplateBody | undefined | Promise<TemplateBody | undefined> => {
    if (composition === undefined) return undefined;
    if (composition.provisional && attempt <= patientAttempts)
      throw new ContentUnfinished(composition.provisional.message);
    const body = write(composition);
    const entering = place.enter(body.size);
    // A body that has to wait is written again after that, as it would take the memory that it waits for.
    return entering === undefined ? body : entering.then(() => write(composition));
  };
  return finished instanceof Promise ? finished.then(render) : render(finished);
}
