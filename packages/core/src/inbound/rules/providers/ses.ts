import { complaintTypes } from "../reports/read-feedback.ts";
import {
  bareAddress,
  findingOf,
  mentionsOf,
  type ProviderReport,
  type ToldRecipient,
} from "./provider-report.ts";
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
  return [
    {
      findings,
      mentions: mentionsOf(headers, texts),
      remoteId: textAt(message, "mail", "messageId"),
      sentTo: listAt(message, "mail", "destination")
        .slice(0, 50)
        .map((one) => bareAddress(textAt(one))),
    },
  ];
}

/**
 * Whether SES did not try to send, because the address is on a list of its own. It then reports what put it there: a
 * complaint, though nobody complained of this e-mail, or 5.1.1, though no server refused it.
 */
const isOwnList = (subType: string): boolean => /suppress/i.test(subType);

/** Statuses of the causes that SES found (its bounce sub-types), for bounces whose own status says nothing. */
const causes: ReadonlyMap<string, string> = new Map([
  ["MailboxFull", "4.2.2"],
  ["MessageTooLarge", "5.3.4"],
  ["ContentRejected", "5.6.0"],
  ["AttachmentRejected", "5.6.0"],
]);

function bouncesOf(message: unknown): ToldRecipient[] {
  const isPassing = textAt(message, "bounce", "bounceType") === "Transient";
  const subType = textAt(message, "bounce", "bounceSubType");
  const cause = causes.get(subType);
  return listAt(message, "bounce", "bouncedRecipients").map((one) => {
    const status = textAt(one, "status");
    const isVague = status === "" || /^\d\.0\.0$/.test(status);
    return {
      kind: "bounce",
      address: textAt(one, "emailAddress"),
      status: isOwnList(subType) ? "" : (isVague && cause) || status || (isPassing ? "4.0.0" : ""),
      reply: textAt(one, "diagnosticCode") || (cause === undefined ? "" : subType),
      // The bounce named nobody.
      isUndecided: subType === "NoEmail",
    };
  });
}

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
  if (type === "Bounce") return bouncesOf(message);
  if (type !== "DeliveryDelay") return [];
  return listAt(message, "deliveryDelay", "delayedRecipients").map((one) => ({
    kind: "delay",
    address: textAt(one, "emailAddress"),
    status: textAt(one, "status"),
    reply: textAt(one, "diagnosticCode"),
  }));
}
