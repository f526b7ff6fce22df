import { tokensInAddresses } from "../report-token.ts";
import { addReasons } from "./add-reasons.ts";
import { emailIdsIn } from "./email-ids-in.ts";
import { searched } from "./find-reasons.ts";
import { nameMembers } from "./name-members.ts";
import { readFeedback } from "./read-feedback.ts";
import { readHotmailComplaint } from "./read-hotmail-complaint.ts";
import { allParts, fieldOf, type MessagePart, readFields, readMessage } from "./read-message.ts";
import { readOldNotice } from "./read-old-notice.ts";
import { readStatus } from "./read-status.ts";
import type { Finding, Mentions, Report, ReportFacts } from "./report.ts";
import { utf8Text } from "./utf8-text.ts";

/** Maximum recipients of one report: no e-mail has more. */
const maxFindings = 1_000;
/** Maximum mentions per report, as each lookup costs a query. */
const maxMentions = 5;

/**
 * Parses a returned message: a notification of delivery (RFC 3464), a complaint (RFC 5965), what some servers send in
 * their place, or an automatic reply. `source` has one character per byte.
 */
export function readReport(source: string): Report {
  const message = readMessage(source);
  const own = allParts(message);
  const parts = readStructured(own) === undefined ? (forwardedReport(message, own) ?? own) : own;
  const facts = readStructured(parts);
  const isWhole = facts !== undefined && facts.namesNobody !== true;
  const told = isWhole ? facts : (readHotmailComplaint(own) ?? readOldNotice(message, utf8Text(textOf(own))));
  const found = told ?? facts;
  if (found !== undefined) {
    const { kind, findings } = found;
    const ids = (facts ?? found).ids;
    return {
      kind,
      findings: findings.slice(0, maxFindings),
      mentions: readMentions(message, parts, ids),
    };
  }
  const kind = isAutoReply(message) ? "auto_reply" : "other";
  return { kind, findings: [], mentions: { tokens: [], emailIds: [] } };
}

function readStructured(parts: MessagePart[]): ReportFacts | undefined {
  const status = parts.find(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
  if (status !== undefined) {
    const facts = readStatus(status.body);
    const text = utf8Text(textOf(parts));
    const findings = nameMembers(facts.findings, text);
    return { ...facts, findings: markShared(addReasons(findings, text), text) };
  }
  const feedback = parts.find(({ type }) => type === "message/feedback-report");
  return feedback === undefined ? undefined : readFeedback(feedback.body);
}

/** How Postfix, Exim and Sendmail say in their text that the content was refused. */
const ofContent = /(?:in\s+reply\s+to|after)\s+(?:pipelined\s+)?end\s+of\s+data\b|^>>> DATA\n<<< 5/im;

/** Marks the bounces of a notification that one refusal of the content caused, as its text tells. */
function markShared(findings: Finding[], text: string): Finding[] {
  const bounces = findings.filter(({ kind }) => kind === "bounce");
  if (bounces.length < 2 || !ofContent.test(text.slice(0, searched))) return findings;
  const counts = new Map<string, number>();
  for (const { reply } of bounces) counts.set(reply, (counts.get(reply) ?? 0) + 1);
  return findings.map((one) => ({ ...one, isShared: (counts.get(one.reply) ?? 0) > 1 }));
}

const isMessage = (type: string): boolean => /^message\/(?:rfc822|global)$/.test(type);

/**
 * Returns the parts of the one report that a message forwards as an attachment. A report's own attachment is the mail
 * that it is about, which may be a report, too.
 */
function forwardedReport(message: MessagePart, parts: MessagePart[]): MessagePart[] | undefined {
  if (message.type === "multipart/report") return undefined;
  const reports = parts
    .filter(({ type }) => isMessage(type))
    .map(({ body }) => allParts(readMessage(body)))
    .filter((inner) => readStructured(inner) !== undefined);
  return reports.length === 1 ? reports[0] : undefined;
}

/** The text for people. */
function textOf(parts: MessagePart[]): string {
  const plain = parts.find(({ type, body }) => type === "text/plain" && body !== "");
  const html = plain === undefined && parts.find(({ type }) => type === "text/html");
  return html ? withoutTags(html.body) : (plain?.body ?? parts[0]?.body ?? "");
}

/** Enough of HTML as text to find an address and the words around it. */
const withoutTags = (html: string): string =>
  html
    .replace(/\s+/g, " ")
    .replace(/<(?:br|\/p|\/div|\/tr)\b[^<>]*> ?/gi, "\n")
    .replace(/<[a-z!/][^<>@]*>/gi, "")
    .replace(/&(lt|gt|nbsp);/g, (_, name: string) => ({ lt: "<", gt: ">" })[name] ?? " ");

/** Returns the header fields of the mail that the report returns. */
function returnedFields(parts: MessagePart[]): MessagePart["fields"] {
  const returned = parts.find(
    ({ type }) =>
      isMessage(type) || /^(?:text\/rfc822-headers|message\/(?:rfc822|global)-headers)$/.test(type),
  );
  return returned === undefined ? [] : readFields(returned.body);
}

/** Names of the report's own fields that hold the address it was sent to. */
const ways = ["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];

/** Collects identifiers of the e-mail, most reliable first: the return path, then those in the returned message. */
function readMentions(message: MessagePart, parts: MessagePart[], ids: string[]): Mentions {
  const returned = returnedFields(parts);
  const texts = parts.map(({ body }) => body);
  const tokens = [
    ...ways.flatMap((name) => tokensInAddresses(fieldOf(message, name))),
    ...ids.flatMap(tokensInAddresses),
    // Servers quote the returned message in many ways, so signed tokens are searched for everywhere. The pattern must
    // not cross a line's end: on a hostile text of empty lines it would take quadratic time.
    ...texts
      .flatMap((text) => [
        ...text.matchAll(/^[> \t]*(?:X-Service-Ref|CFBL-Feedback-ID):\s*([a-z2-7]{26})[ \t]*$/gim),
      ])
      .flatMap(([, token]) => token ?? []),
    ...texts.flatMap(tokensInAddresses),
  ];
  const quoted = texts.flatMap((text) =>
    [...text.matchAll(/^[> \t]*(?:X-Service-Email-Id|Message-ID):[ \t]*(\S.{0,400})$/gim)].map(
      ([, value]) => value ?? "",
    ),
  );
  const named = [
    ...ids,
    fieldOf({ fields: returned }, "x-service-email-id"),
    fieldOf({ fields: returned }, "message-id"),
    ...quoted,
    fieldOf(message, "in-reply-to"),
    fieldOf(message, "references"),
  ].flatMap(emailIdsIn);
  return {
    tokens: distinct(tokens).slice(0, maxMentions),
    emailIds: distinct(named).slice(0, maxMentions),
  };
}

const distinct = (texts: string[]): string[] => [...new Set(texts)];

/** Whether the message is an automatic reply, by RFC 3834 or by older conventions. */
function isAutoReply(message: MessagePart): boolean {
  const submitted = fieldOf(message, "auto-submitted").toLowerCase();
  return (
    (submitted !== "" && !/^no\b/.test(submitted)) ||
    fieldOf(message, "x-autoreply") !== "" ||
    fieldOf(message, "x-autorespond") !== "" ||
    // procmail's recipe and vacation(1) have only this.
    /^(?:auto_reply|vacation|junk)$/i.test(fieldOf(message, "precedence"))
  );
}
