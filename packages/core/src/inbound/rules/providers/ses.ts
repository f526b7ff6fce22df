import { findingOf, mentionsOf, type ProviderReport, type ToldRecipient } from "./provider-report.ts";
import { listAt, textAt } from "./read-at.ts";

/** Parses what Amazon SES publishes by SNS: a notification, or an event of a configuration set. */
export function readSes(message: unknown): ProviderReport[] {
  const type = textAt(message, "notificationType") || textAt(message, "eventType");
  const findings = toldOf(message, type)
    .filter(({ address }) => address !== "")
    .map(findingOf);
  if (findings.length === 0) return [];
  const headers = listAt(message, "mail", "headers");
  const texts = [textAt(message, "mail", "source"), textAt(message, "mail", "commonHeaders", "messageId")];
  return [{ findings, mentions: mentionsOf(headers, texts), remoteId: textAt(message, "mail", "messageId") }];
}

function toldOf(message: unknown, type: string): ToldRecipient[] {
  if (type === "Complaint") {
    const feedback = textAt(message, "complaint", "complaintFeedbackType") || "abuse";
    if (!["abuse", "fraud", "virus", "opt-out"].includes(feedback)) return [];
    // Who complained is often concealed: SES then names everybody at the provider that reported it.
    const candidates = listAt(message, "complaint", "complainedRecipients");
    return candidates.map((one) => ({
      kind: "complaint",
      address: textAt(one, "emailAddress"),
      feedback,
      isUndecided: candidates.length > 1,
    }));
  }
  if (type === "Bounce") {
    const isPassing = textAt(message, "bounce", "bounceType") === "Transient";
    // Of an address on its own lists SES states 5.1.1, though no server refused it.
    const isOwn = /suppress/i.test(textAt(message, "bounce", "bounceSubType"));
    return listAt(message, "bounce", "bouncedRecipients").map((one) => ({
      kind: "bounce",
      address: textAt(one, "emailAddress"),
      status: isOwn ? "" : textAt(one, "status") || (isPassing ? "4.0.0" : ""),
      reply: textAt(one, "diagnosticCode"),
    }));
  }
  if (type !== "DeliveryDelay") return [];
  return listAt(message, "deliveryDelay", "delayedRecipients").map((one) => ({
    kind: "delay",
    address: textAt(one, "emailAddress"),
    status: textAt(one, "status"),
    reply: textAt(one, "diagnosticCode"),
  }));
}
