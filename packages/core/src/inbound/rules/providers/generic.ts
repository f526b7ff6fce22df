import { fieldError } from "../../../errors.ts";
import { findingOf, maxReports, mentionsOf, type ProviderReport, readEvents } from "./provider-report.ts";
import { listAt, textAt } from "./read-at.ts";

const kinds = ["bounce", "complaint", "delay"] as const;

/**
 * Parses this service's own format, for relays without another one: `{events: [{kind, recipient, …}]}`
 * (docs/bounces.md). Throws for more events than a request may have, because its sender can split them.
 */
export function readGeneric(body: unknown): ProviderReport[] {
  const events = listAt(body, "events");
  if (events.length > maxReports) throw fieldError("events", `has more than ${maxReports} items`);
  return readEvents(events, readEvent);
}

function readEvent(event: unknown): ProviderReport | undefined {
  const kind = kinds.find((one) => one === textAt(event, "kind"));
  const address = textAt(event, "recipient");
  if (kind === undefined || address === "") return undefined;
  const finding = findingOf({
    kind,
    address,
    status: textAt(event, "status"),
    reply: textAt(event, "reply"),
    feedback: textAt(event, "feedback") || "abuse",
  });
  const headers = [{ name: "X-Service-Ref", value: textAt(event, "ref") }];
  const mentions = mentionsOf(headers, [textAt(event, "email_id"), textAt(event, "message_id")]);
  return { findings: [finding], mentions, remoteId: textAt(event, "remote_id") };
}
