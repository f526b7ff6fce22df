import { complaintTypes } from "../read-feedback.ts";
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

/**
 * Whether SES did not try to send, because the address is on a list of its own. It then reports what put it there: a
 * complaint, though nobody complained of this e-mail, or 5.1.1, though no server refused it.
 */
const isOwnList = (subType: string): boolean => /suppress/i.test(subType);

function toldOf(message: unknown, type: string): ToldRecipient[] {
  if (type === "Complaint") {
    const feedback = textAt(message, "complaint", "complaintFeedbackType") || "abuse";
    if (!complaintTypes.has(feedback)) return [];
    // Who complained is often concealed: SES then names everybody at the provider that reported it.
    const candidates = listAt(message, "complaint", "complainedRecipients");
    const subType = textAt(message, "complaint", "complaintSubType");
    return candidates.map((one) => ({
      ...(isOwnList(subType) ? { kind: "bounce", reply: subType } : { kind: "complaint", feedback }),
      address: textAt(one, "emailAddress"),
      isUndecided: candidates.length > 1,
    }));
  }
  if (type === "Bounce") {
    const isPassing = textAt(message, "bounce", "bounceType") === "Transient";
    const isOwn = isOwnList(textAt(message, "bounce", "bounceSubType"));
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
