import { fieldError } from "../../../errors.ts";
import { complaintTypes } from "../reports/read-feedback.ts";
import { findingOf, mentionsOf, type ProviderReport } from "./provider-report.ts";
import { textAt, valueAt } from "./read-at.ts";

const kinds = ["bounce", "complaint", "delay"] as const;
const maxEvents = 2_000;

/**
 * Parses this service's own format, for relays without another one: `{events: [{kind, recipient, …}]}`
 * (docs/bounces.md). Throws `validation_failed` for a body that is not in it, and for more events than a request may
 * have, because its sender can correct and split them.
 */
export function readGeneric(body: unknown): ProviderReport[] {
  const events = valueAt(body, "events");
  if (!Array.isArray(events)) throw fieldError("events", "is required, a list");
  if (events.length > maxEvents) throw fieldError("events", `has more than ${maxEvents} items`);
  return events.flatMap(readEvent);
}

function readEvent(event: unknown, index: number): ProviderReport | [] {
  const kind = kinds.find((one) => one === textAt(event, "kind"));
  if (kind === undefined) throw fieldError(`events.${index}.kind`, "must be bounce, complaint or delay");
  const address = textAt(event, "recipient");
  if (address === "") throw fieldError(`events.${index}.recipient`, "is required, an e-mail address");
  const feedback = textAt(event, "feedback") || "abuse";
  if (kind === "complaint" && !complaintTypes.has(feedback)) return [];
  const finding = findingOf({
    kind,
    address,
    status: textAt(event, "status"),
    reply: textAt(event, "reply"),
    feedback,
  });
  const headers = [{ name: "X-Service-Ref", value: textAt(event, "ref") }];
  const mentions = mentionsOf(headers, [textAt(event, "email_id"), textAt(event, "message_id")]);
  return { findings: [finding], mentions, remoteId: textAt(event, "remote_id") };
}
