import { readFeedback } from "./read-feedback.ts";
import { allParts, fieldOf, type MessagePart, readFields, readMessage } from "./read-message.ts";
import { readOldNotice } from "./read-old-notice.ts";
import { readStatus } from "./read-status.ts";
import { tokensInAddresses } from "./report-token.ts";

/** What a report says of one recipient. */
export interface Finding {
  kind: "bounce" | "delay" | "complaint";
  /** The recipient that was asked for, then the one that it was forwarded to; each may be missing. Hostile. */
  addresses: string[];
  /** The enhanced status code as it is stated. */
  status: string | undefined;
  /** What the server said: hostile, one line of at most 1 KiB. */
  reply: string;
  /** Of a complaint: `abuse`, `fraud`, `virus` or `opt-out`. */
  feedback: string | undefined;
  /** Whether it stands in a form that is made for this, or was found by reading a text for people. */
  isStructured: boolean;
}

/** By what a report may name the e-mail. */
export interface Mentions {
  /** Signed tokens, from return paths or `X-Service-Ref`: not checked yet. */
  tokens: string[];
  /** Ids of e-mails: envelope ids, `X-Service-Email-Id`, Message-IDs. Anyone who got the mail knows them. */
  emailIds: string[];
}

/** What a message that came back says. */
export interface Report {
  kind: "delivery" | "feedback" | "auto_reply" | "other";
  findings: Finding[];
  mentions: Mentions;
}

/** Recipients of one report: no e-mail has more. */
const mostFindings = 1_000;
/** Each mention that is looked up costs a query. */
const mostMentions = 5;

/**
 * Reads a message that came back: a notification of delivery (RFC 3464), a complaint (RFC 5965), what some servers send in place of
 * them, or an automatic reply. `source` is one character a byte.
 */
export function readReport(source: string): Report {
  const message = readMessage(source);
  const parts = allParts(message);
  const found = readStructured(parts) ?? readOldNotice(message, textOf(parts));
  if (found !== undefined) {
    const { kind, findings, ids } = found;
    return {
      kind,
      findings: findings.slice(0, mostFindings),
      mentions: readMentions(message, parts, ids),
    };
  }
  const kind = isAutoReply(message) ? "auto_reply" : "other";
  return { kind, findings: [], mentions: { tokens: [], emailIds: [] } };
}

/** What of a report is told by its form. */
export interface Told {
  kind: "delivery" | "feedback";
  findings: Finding[];
  /** What it says besides by which the e-mail may be known. */
  ids: string[];
}

function readStructured(parts: MessagePart[]): Told | undefined {
  const status = parts.find(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
  if (status !== undefined) return readStatus(status.body);
  const feedback = parts.find(({ type }) => type === "message/feedback-report");
  return feedback === undefined ? undefined : readFeedback(feedback.body, returnedFields(parts));
}

const textOf = (parts: MessagePart[]): string =>
  parts.find(({ type, body }) => type === "text/plain" && body !== "")?.body ?? parts[0]?.body ?? "";

/** The fields of the message that came back with the report. */
function returnedFields(parts: MessagePart[]): MessagePart["fields"] {
  const returned = parts.find(({ type }) =>
    /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/(?:rfc822|global)-headers)$/.test(type),
  );
  return returned === undefined ? [] : readFields(returned.body);
}

const uuid = /[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi;
/** Fields of the report by which it came: its own, not those of what it returns. */
const ways = ["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];

/** In the order of their worth: the return path, then what stands in the returned message. */
function readMentions(message: MessagePart, parts: MessagePart[], ids: string[]): Mentions {
  const returned = returnedFields(parts);
  const texts = parts.map(({ body }) => body);
  const tokens = [
    ...ways.flatMap((name) => tokensInAddresses(fieldOf(message, name))),
    ...ids.flatMap(tokensInAddresses),
    // Servers quote the returned message in many ways; what is signed may be looked for anywhere.
    ...texts
      .flatMap((text) => [
        ...text.matchAll(/^[>\s]*(?:X-Service-Ref|CFBL-Feedback-ID):\s*([a-z2-7]{26})\s*$/gim),
      ])
      .flatMap(([, token]) => token ?? []),
    ...texts.flatMap(tokensInAddresses),
  ];
  const quoted = texts.flatMap((text) =>
    [...text.matchAll(/^[>\s]*(?:X-Service-Email-Id|Message-ID):[ \t]*(\S.{0,400})$/gim)].map(
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
  ].flatMap((text) => [...text.matchAll(uuid)].map(([id]) => id.toLowerCase()));
  return {
    tokens: distinct(tokens).slice(0, mostMentions),
    emailIds: distinct(named).slice(0, mostMentions),
  };
}

const distinct = (texts: string[]): string[] => [...new Set(texts)];

/** Automatic replies (RFC 3834), and what came before there was a field for them. */
function isAutoReply(message: MessagePart): boolean {
  const submitted = fieldOf(message, "auto-submitted").toLowerCase();
  return (
    (submitted !== "" && !/^no\b/.test(submitted)) ||
    fieldOf(message, "x-autoreply") !== "" ||
    fieldOf(message, "x-autorespond") !== "" ||
    /^(?:auto_reply|vacation)$/i.test(fieldOf(message, "precedence"))
  );
}
