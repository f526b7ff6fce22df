import { expect, test } from "vitest";
import { brief, lines, token } from "../../../test/status-report.ts";
import { readReport } from "./read-report.ts";

test.each([
  [
    [
      "From: MAILER-DAEMON@yahoo.com",
      "Subject: Failure Notice",
      "",
      "<ada@example.com>:",
      "554 no such user",
    ],
    "--- Below this line is a copy of the message.",
  ],
  [
    [
      ...["From: GMX <mailer-daemon@gmx.de>", "Auto-Submitted: auto-replied"],
      ...["Subject: Mail delivery failed: returning message to sender", "", "ada@example.com:"],
      "SMTP error from remote server for RCPT TO command, host: mx.example reason: 554 no such user",
    ],
    "--- The header of the original message is following. ---",
  ],
])("a notice that says only by its sender and subject what it is: %j", (notice, copy) => {
  const source = lines(
    ...notice,
    "",
    copy,
    "",
    "To: ada@example.com, bob@example.com",
    `X-Service-Ref: ${token}`,
  );
  const { findings, mentions } = readReport(source);
  expect(findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
  expect(findings[0]).toMatchObject({ reply: "554 no such user", isStructured: false });
  expect(mentions.tokens).toEqual([token]);
  for (const other of [
    source.replace(/From:.*/, "From: ada@example.com"),
    source.replace(/Subject:.*/, "Subject: Warning: a failed delivery will be tried again"),
    source.replace(/Subject:.*/, "Subject: Welcome"),
  ])
    expect(readReport(other).findings).toEqual([]);
});
