import { findingOf, maxEvents, mentionsOf, type ProviderReport } from "./provider-report.ts";
import { listAt, textAt } from "./read-at.ts";

const kinds = ["bounce", "complaint", "delay"] as const;

/**
 * Parses this service's own format, for relays without another one: `{events: [{kind, recipient, …}]}`
 * (docs/bounces.md).
 */
export const readGeneric = (body: unknown): ProviderReport[] =>
  listAt(body, "events")
    .slice(0, maxEvents)
    .flatMap((event) => {
      const kind = kinds.find((one) => one === textAt(event, "kind"));
      const address = textAt(event, "recipient");
      if (kind === undefined || address === "") return [];
      const finding = findingOf({
        kind,
        address,
        status: textAt(event, "status"),
        reply: textAt(event, "reply"),
        feedback: textAt(event, "feedback") || "abuse",
      });
      const headers = [{ name: "X-Service-Ref", value: textAt(event, "ref") }];
      const mentions = mentionsOf(headers, [textAt(event, "email_id"), textAt(event, "message_id")]);
      return [{ findings: [finding], mentions, remoteId: textAt(event, "remote_id") }];
    });
