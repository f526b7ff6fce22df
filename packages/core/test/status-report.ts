import { classifyRefusal } from "../src/inbound/rules/bounces/classify-refusal.ts";
import { createReportTokens } from "../src/inbound/rules/report-token.ts";
import type { Finding } from "../src/inbound/rules/reports/report.ts";

// The key of the tokens in the fixtures' messages.
export const tokens = createReportTokens(Buffer.alloc(32, 7));

export const token = tokens.make({ row: 77, position: 2 });

export const brief = ({ kind, addresses, status, reply }: Finding) =>
  [kind, addresses.at(-1) ?? "", classifyRefusal({ status, reply, stage: "recipient" }).category].join(" ");

export const lines = (...text: string[]): string => text.join("\r\n");

interface StatusReport {
  /** The groups of fields of the machine-readable part, without the blank lines between them. */
  groups: string[][];
  fields?: string[];
  /** The text for people. */
  text?: string;
  returned?: { type: string; text: string };
}

export const statusReport = ({
  groups,
  fields = [],
  text = "It did not arrive.",
  returned,
}: StatusReport): string =>
  lines(
    "From: MAILER-DAEMON@mx.example",
    ...fields,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b=1"',
    "",
    "--b=1",
    "",
    text,
    "--b=1",
    "Content-Type: message/delivery-status",
    "",
    groups.map((group) => group.join("\r\n")).join("\r\n\r\n"),
    "",
    ...(returned === undefined ? [] : ["--b=1", `Content-Type: ${returned.type}`, "", returned.text]),
    "--b=1--",
    "",
  );

export const failed = (address: string, status = "5.1.1") => [
  `Final-Recipient: rfc822; ${address}`,
  "Action: failed",
  `Status: ${status}`,
  "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
];
