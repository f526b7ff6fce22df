import { joinParts, type TextParts } from "../../../content/rendering/text-parts.ts";
import { privateKeyContext } from "../../../domains/rules/dkim-names.ts";
import type { DkimKey, MailAttachment, MailMessage } from "../../../ports/mailer.ts";
import type {
  ClaimedEmail,
  EmailPayload,
  EmailRecipient,
  EmailTracking,
  SendingDomain,
} from "../../../ports/storage.ts";
import { isErased } from "../../../recipients/rules/erased-address.ts";
import { domainOf } from "../../../rules/addresses.ts";
import { openSecret } from "../../../rules/secret-box.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { createLinkRewrite, type LinkRewrite } from "../../../tracking/links/link-rewrite.ts";
import { isOperatorsSender } from "../../is-operators-sender.ts";
import { steersRelay } from "../../rules/header-fields.ts";
import type { SealedContent } from "../../submission/sealed-content.ts";
import { holdsSinceAcceptance } from "../holds-since-acceptance.ts";
import { feedbackFields, unsubscribeFields } from "./added-fields.ts";
import type { BodyPlace } from "./body-room.ts";
import { type Body, findLiteral, renderBody, rewriteLiteral, valuesOf } from "./render-body.ts";

/** Thrown if the e-mail may not be sent, as the sender's domain is no verified one of the workspace, or no longer. */
export class DomainNotVerified extends Error {
  override readonly name = "DomainNotVerified";
  constructor(domain: string) {
    super(`domain removed, or not verified: ${domain}`);
  }
}

/**
 * Composes the message of a claimed e-mail for its open recipients; `undefined` if its content is gone. All but the
 * envelope, the signing key and the verified hosts of the sender's domain is the same at every attempt. `sealed` is the decrypted sealed part of its payload; a
 * rendered body, or what tracking adds to another, takes its memory from `place`, which it may have to wait for.
 * Throws `TemplateLimitError`, `ContentUnfinished` and `DomainNotVerified`.
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
  const [{ domain, ownServers }, literal] = await Promise.all([
    judgeSender(runtime, claimed, payload),
    sealed?.body === undefined && payload.literal ? findLiteral(runtime, claimed) : undefined,
  ]);
  const rewrite = rewriteFor(runtime, claimed, { tracking: payload.tracking, domain });
  const rendering =
    sealed?.body ??
    (payload.literal
      ? rewriteLiteral(literal, { place, rewrite })
      : renderBody(runtime, claimed, { data: valuesOf(payload, sealed), place, rewrite }));
  const body = rendering instanceof Promise ? await rendering : rendering;
  if (body === undefined) return undefined;
  const { from, sender, replyTo, headers, calendar = sealed?.calendar } = payload;
  const token = runtime.reportTokens.make(recipientOf(claimed));
  // Bounces to a host that the operator gave up would be lost, and the domain's next check may be a day away.
  const returnPath = runtime.config.inboundHost === undefined ? undefined : domain?.returnPathDomain;
  const message: Draft = {
    emailId: email.id,
    workspaceId: email.workspaceId,
    lane: claimed.lane,
    messageId: `<${email.id}@${domainOf(from.address)}>`,
    date: payload.date ?? email.scheduledAt ?? email.createdAt,
    from,
    to: mailboxesOf(recipients, "to"),
    cc: mailboxesOf(recipients, "cc"),
    replyTo,
    subject: sealed?.subject ?? email.subject,
    isSensitive: email.isSensitive,
    headers: [
      ...headers,
      ...unsubscribeFields(payload, { token, returnPath: returnPath ?? runtime.config.returnPathDomain }),
      { name: "X-Service-Email-Id", value: email.id },
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
  const units = "html" in body ? body.html.length + body.text.length : body.size;
  return { message: withBody(message, body), units, returnPathDomain: returnPath, ownServers };
}

/** Leaves out who was erased: what stands for them is no address, nobody could answer to it, and it would tell of the erasure. */
const mailboxesOf = (recipients: readonly EmailRecipient[], kind: EmailRecipient["kind"]) =>
  recipients
    .filter((one) => one.kind === kind && !isErased(one.address))
    .map(({ name, address }) => ({ name, address }));

type Parts = NonNullable<MailMessage["parts"]>;

/** What a template's body is read from. */
const rendered = Symbol("rendered");

interface Draft extends Omit<MailMessage, "html" | "text" | "parts"> {
  /** The parts until they are read for the first time, and a function that renders them again. */
  [rendered]?: { parts: Parts | undefined; again: () => Parts };
}

/**
 * Hands the parts over, and forgets them: kept for as long as the server takes to answer, they were most of what an
 * e-mail left in V8's old generation. The accessors are shared functions, to save memory per message.
 */
const takenParts: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: Draft): Parts | undefined {
    const body = this[rendered];
    if (body === undefined) return undefined;
    const parts = body.parts ?? body.again();
    body.parts = undefined;
    return parts;
  },
};

/** Joins the parts of both texts on first access to one, which a mailer that takes parts never does. */
const joinedWhenRead = (kind: "html" | "text"): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get(this: MailMessage): string {
    const { parts } = this;
    const joined = (text: TextParts | undefined) => ({
      value: text === undefined ? "" : joinParts(text),
      enumerable: true,
    });
    Object.defineProperties(this, { html: joined(parts?.html), text: joined(parts?.text) });
    return this[kind];
  },
});
const joinedHtml = joinedWhenRead("html");
const joinedText = joinedWhenRead("text");

function withBody(draft: Draft, body: Body): MailMessage {
  if ("html" in body) return Object.assign(draft, { html: body.html, text: body.text });
  draft[rendered] = { parts: body.parts, again: body.again };
  if (body.missing.length > 0) draft.missing = body.missing;
  Object.defineProperty(draft, "parts", takenParts);
  Object.defineProperty(draft, "html", joinedHtml);
  Object.defineProperty(draft, "text", joinedText);
  return draft as MailMessage;
}

/** A message, with data for its transmission. */
export interface Composed {
  message: MailMessage;
  /** UTF-16 units of its body. */
  units: number;
  /** Domain for return paths of the sender, if mail to it reaches this service. */
  returnPathDomain: string | undefined;
  /**
   * What becomes of it where no server of its workspace's own takes it, if it may go through no other; `undefined` if it
   * may. It waits if it was accepted for such servers.
   */
  ownServers: "waits" | "refused" | undefined;
}

/**
 * The sender's domain with its active keys; none if it is not the workspace's, in which case the mailer's own keys may
 * sign. Whether it must be the workspace's, or else the server, is asked again if the e-mail has waited (platform.md P0):
 * nobody may vouch for the workspace any more, or its setting be off by now, which lets a retry through. Where nobody
 * vouches, who sends on behalf of the sender is judged as the sender is, and fields that steer a relay wait for a server
 * of the workspace's own.
 */
async function judgeSender(
  runtime: Runtime,
  claimed: ClaimedEmail,
  { from, sender, headers, requiresDomain = false, ownServersOnly = false }: EmailPayload,
): Promise<{ domain?: SendingDomain; ownServers?: Composed["ownServers"] }> {
  const { workspaceId } = claimed.email;
  // The service's own mails belong to no workspace.
  if (workspaceId === undefined) return {};
  const { lookups } = runtime.acceptance;
  const name = domainOf(from.address);
  const domain = await lookups.findSendingDomain({ workspaceId, domain: name });
  const found = domain === undefined ? {} : { domain };
  const strangers = domain === undefined ? [from.address] : [];
  if (sender !== undefined) {
    const bySender = domainOf(sender.address);
    if ((await lookups.findSendingDomain({ workspaceId, domain: bySender })) === undefined)
      strangers.push(sender.address);
  }
  if (strangers.length === 0 && !headers.some(({ name }) => steersRelay(name))) return found;
  const bound = holdsSinceAcceptance(runtime, claimed)
    ? { requireVerifiedDomain: requiresDomain, isTrusted: !ownServersOnly }
    : await lookups.findBound(workspaceId);
  if (domain === undefined && bound?.requireVerifiedDomain === true) throw new DomainNotVerified(name);
  if (bound?.isTrusted !== false) return found;
  const operators = strangers.find((one) => isOperatorsSender(runtime, one));
  if (operators !== undefined) throw new DomainNotVerified(domainOf(operators));
  return { ...found, ownServers: ownServersOnly || strangers.length === 0 ? "waits" : "refused" };
}

/**
 * Returns whom the message's tokens name: its only recipient, with the same position at every attempt, however many
 * recipients are still open.
 */
const recipientOf = ({ lease: { row }, recipients }: ClaimedEmail) => ({
  row,
  position: recipients.length === 1 ? 0 : undefined,
});

/** Returns what makes the rewriting of the message's links; `undefined` if nothing is tracked. */
function rewriteFor(
  runtime: Runtime,
  claimed: ClaimedEmail,
  { tracking, domain }: { tracking: EmailTracking | undefined; domain: SendingDomain | undefined },
): LinkRewrite | undefined {
  if (tracking === undefined) return undefined;
  return createLinkRewrite(runtime, { ...recipientOf(claimed), ...tracking }, domain?.trackingDomain);
}

const openKeys = ({ secrets }: Pick<Runtime, "secrets">, { id, name, keys }: SendingDomain): DkimKey[] =>
  keys.map(({ selector, privateKey }) => ({
    domain: name,
    selector,
    privateKey: openSecret(secrets, {
      sealed: privateKey,
      context: privateKeyContext(id, selector),
      name: `the signing key of ${name}`,
      remedy: "remove the domain, and add it again",
    }),
  }));
