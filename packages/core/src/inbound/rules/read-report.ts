import { readFeedback } from "./read-feedback.ts";
import { allParts, fieldOf, type MessagePart, readFields, readMessage } from "./read-message.ts";
import { readOldNotice } from "./read-old-notice.ts";
import { readStatus } from "./read-status.ts";
import type { Mentions, Report, Told } from "./report.ts";
import { tokensInAddresses } from "./report-token.ts";

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
    // Servers quote the returned message in many ways; what is signed may be looked for anywhere. A pattern that went on over the end of
    // its line would read a hostile text of empty lines once for each of them.
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
