import { oneLine } from "../../../rules/one-line.ts";
import { fieldOf, readFields } from "./read-message.ts";
import { addressIn } from "./read-status.ts";
import type { ReportFacts } from "./report.ts";

/**
 * Types of a complaint that mean that a person wants no more mail (RFC 5965 section 7.3); `not-spam` and unknown types
 * do not.
 */
export const complaintTypes: ReadonlySet<string> = new Set(["abuse", "fraud", "virus", "opt-out"]);

/**
 * Parses the machine-readable part of a complaint (RFC 5965). Few providers give the recipient. That the returned mail
 * names several tells nothing of who complained.
 */
export function readFeedback(body: string): ReportFacts {
  const fields = readFields(body.replace(/^\n+/, ""));
  const type = fieldOf({ fields }, "feedback-type").replace(/\([^()]*\)/g, " ");
  const feedback = type.toLowerCase().trim();
  const ids = [fieldOf({ fields }, "original-mail-from"), fieldOf({ fields }, "original-envelope-id")];
  if (!complaintTypes.has(feedback)) return { kind: "complaint", ids, findings: [] };
  const known = fields
    .filter(({ name }) => name === "original-rcpt-to")
    .map(({ value }) => addressIn(value))
    .filter((address) => address !== "");
  const reply = oneLine(`${feedback} ${fieldOf({ fields }, "source-ip")}`);
  const findings = (known.length === 0 ? [""] : known).map((address) => ({
    kind: "complaint" as const,
    addresses: address === "" ? [] : [address],
    status: undefined,
    reply,
    feedback,
    isStructured: true,
  }));
  return { kind: "complaint", ids, findings };
}
