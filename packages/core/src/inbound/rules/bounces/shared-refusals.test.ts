import { expect, test } from "vitest";
import { explainReport } from "../../explain-report.ts";

const report = (text: string, replies: string[]): string =>
  [
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "",
    "--b",
    "",
    text,
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.relay.example",
    "",
    ...replies.flatMap((reply, index) => [
      `Final-Recipient: rfc822; a${index}@example.com`,
      "Action: failed",
      "Status: 5.0.0",
      `Diagnostic-Code: smtp; ${reply}`,
      "",
    ]),
    "--b--",
  ].join("\r\n");

const postfix = (command: string): string =>
  `<a0@example.com>: host 192.0.2.1[192.0.2.1] said: 550 5.1.1 User unknown (in reply\r\n    to ${command} command)`;
const unknown = "550 5.1.1 User unknown";

test.each([
  ["Postfix's", postfix("end of DATA")],
  ["Exim's", `    SMTP error from remote mail server after end of data:\r\n    ${unknown}`],
  [
    "Exim's with chunks",
    `    SMTP error from remote mail server after pipelined end of data:\r\n    ${unknown}`,
  ],
  ["Sendmail's", `... while talking to mx.example:\r\n>>> DATA\r\n<<< ${unknown}`],
])("%s refusal of the content for two recipients suppresses none, for one suppresses that", (_, text) => {
  const suppress = (replies: string[]): string[] =>
    explainReport(report(text, replies)).findings.map((one) => one.suppress);
  expect(suppress([unknown, unknown])).toEqual(["never", "never"]);
  expect(suppress([unknown])).toEqual(["at_once"]);
  expect(suppress([unknown, "550 5.1.1 No such user"])).toEqual(["at_once", "at_once"]);
});

test("a refusal of two recipients suppresses both", () => {
  const { findings } = explainReport(report(postfix("RCPT TO"), [unknown, unknown]));
  expect(findings.map((one) => one.suppress)).toEqual(["at_once", "at_once"]);
});
