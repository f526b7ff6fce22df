import { oneLine } from "../../../rules/one-line.ts";
import { fieldOf, type MessagePart, readFields } from "./read-message.ts";
import { addressIn } from "./read-status.ts";
import type { ReportFacts } from "./report.ts";

/**
 * Parses a complaint of Outlook.com (Junk Mail Reporting Program). It has no part of RFC 5965: it attaches the mail, with
 * the recipient who complained in a field that only Outlook.com adds.
 */
export function readHotmailComplaint(parts: MessagePart[]): ReportFacts | undefined {
  for (const { type, body } of parts) {
    if (type !== "message/rfc822") continue;
    const recipient = fieldOf({ fields: readFields(body) }, "x-hmxmroriginalrecipient");
    if (recipient === "") continue;
    const finding = {
      kind: "complaint" as const,
      addresses: [addressIn(recipient)].filter((address) => address !== ""),
      status: undefined,
      reply: oneLine(`abuse ${fieldOf({ fields: parts[0]?.fields ?? [] }, "subject")}`),
      feedback: "abuse",
      isStructured: true,
    };
    return { kind: "complaint", ids: [], findings: [finding] };
  }
  return undefined;
}
