import { expect, test } from "vitest";
import { brief, lines } from "../../../../test/status-report.ts";
import { explainReport } from "../../explain-report.ts";
import { readReport } from "./read-report.ts";

/** A notification of Exim 4.96 about aliases: its machine-readable part repeats the alias for each member. */
const message = lines(
  "X-Failed-Recipients: dead@private.example,",
  "  nobody@receiver.example, list@receiver.example",
  "Content-Type: multipart/report; report-type=delivery-status; boundary=eximdsn",
  "",
  "--eximdsn",
  "Content-type: text/plain; charset=us-ascii",
  "",
  "recipients. This is a permanent error. The following address(es) failed:",
  "",
  "  dead@private.example",
  "    (generated from team@receiver.example)",
  "    host mx.private.example [192.0.2.1]",
  "    SMTP error from remote mail server after RCPT TO:<dead@private.example>:",
  "    550 5.1.1 not exist here",
  "  nobody@receiver.example",
  "    (generated from team@receiver.example)",
  "    Unrouteable address",
  "  list@receiver.example",
  "    Unrouteable address",
  "",
  "--eximdsn",
  "Content-type: message/delivery-status",
  "",
  "Reporting-MTA: dns; mx.receiver.example",
  "",
  "Action: failed",
  "Final-Recipient: rfc822;team@receiver.example",
  "Status: 5.0.0",
  "Diagnostic-Code: smtp; 550 5.1.1 not exist here",
  "",
  "Action: failed",
  "Final-Recipient: rfc822;team@receiver.example",
  "Status: 5.0.0",
  "",
  "Action: failed",
  "Final-Recipient: rfc822;list@receiver.example",
  "Status: 5.0.0",
  "",
  "--eximdsn--",
);

test("a bounce of an alias names the member whom the mail did not reach, as Exim's text does, with the reason", () => {
  expect(readReport(message).findings.map((one) => [one.addresses, brief(one), one.reply])).toEqual([
    [
      ["team@receiver.example", "dead@private.example"],
      "bounce dead@private.example invalid_recipient",
      "550 5.1.1 not exist here",
    ],
    [
      ["team@receiver.example", "nobody@receiver.example"],
      "bounce nobody@receiver.example invalid_recipient",
      "Unrouteable address",
    ],
    [["list@receiver.example"], "bounce list@receiver.example invalid_recipient", "Unrouteable address"],
  ]);
});

test("such a bounce is explained as one that suppresses nobody", () => {
  expect(explainReport(message).findings.map(({ suppress }) => suppress)).toEqual([
    "never",
    "never",
    "at_once",
  ]);
});
