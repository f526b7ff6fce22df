import { expect, test } from "vitest";
import { brief, lines, statusReport, token } from "../../../../test/status-report.ts";
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

const subjects = [
  "Mail Not Delivered",
  "NON-DELIVERY of: Hello",
  "Mail Delivery Problem",
  "Your message to ada@example.com could not be delivered.",
  "=?utf-8?b?0JLQsNGI0LUg0YHQvtC+0LHRidC10L3QuNC1INC90LUg0LTQvtGB0YLQsNCy0LvQtdC9?=\r\n =?utf-8?b?0L4uIE1haWwgZmFpbHVyZS4=?=",
  "=?ISO-8859-1?Q?Zustellung_an_B=FCro_failed?=",
];

test.each(subjects)("the subject of a notice tells of a failure: %s", (subject) => {
  const fields = [
    "From: Mail <Mailer-Daemon@mx.example>",
    "Auto-Submitted: auto-replied",
    `Subject: ${subject}`,
  ];
  const source = lines(...fields, "", "No mailbox here for ada@example.com.", "", "Good bye.");
  expect(readReport(source).findings.map(({ addresses }) => addresses)).toEqual([["ada@example.com"]]);
});

test.each([
  "Mail not yet delivered",
  "=?utf-8?Q?Delivery_delayed,_not_delivered?=",
  "=?utf-8?Q?a?= failed? no: =?bad",
])("a subject of a delay, or one that is damaged, throws nothing and counts as it reads: %s", (subject) => {
  const source = lines("From: postmaster@mx.example", `Subject: ${subject}`, "", "ada@example.com: later");
  expect(readReport(source).findings).toHaveLength(subject.includes("failed") ? 1 : 0);
});

test("a notice that borrows qmail's first line alone", () => {
  const source = lines(
    ...["From: postmaster@mail.example", "Subject: failure notice", ""],
    ...["Hi. This is the smtp delivery program.", "This is a permanent error; I've given up.", ""],
    "<ada@example.com>, remote server said: 550 5.1.1 no such user",
    ...["", "--- Below this line is a copy of the message.", "", "To: bob@example.com"],
  );
  expect(readReport(source).findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
});

test("a notice that shows the message's recipients above those whom it did not reach", () => {
  const source = lines(
    ...["From: System Administrator <postmaster@mail.example>", "Subject: Undeliverable: Hello", ""],
    ...["Your message", "", "  To:      bob@example.com; ada@example.com", "  Cc:      eve@example.com"],
    ...["  Subject: Hello", "  Sent:    Mon, 2 Feb 2026 10:00:00 +0100", ""],
    ...["did not reach the following recipient(s):", ""],
    ...["ada@example.com on Mon, 2 Feb 2026 10:00:05 +0100", "    The recipient name is not recognized"],
    "\tThe MTS-ID of the original message is: c=us;a= ;p=mail;l=MX260202",
  );
  expect(readReport(source).findings.map(({ addresses, reply }) => [addresses, reply])).toEqual([
    [["ada@example.com"], expect.stringContaining("The recipient name is not recognized")],
  ]);
});

test.each([
  "Message headers follow:",
  "Original message follows.",
  "Possibly truncated original message follows:",
  "The headers of the original message follow",
  "    ----- Original message follows -----",
  "----------------------------- Original message -----------------------------",
])("what stands below a line that announces the message names nobody who bounced: %s", (line) => {
  const source = lines(
    ...["From: Postmaster@mail.example", "Subject: Message Delivery Failure", ""],
    ...[
      "The error message follows:",
      "",
      "\tRecipient: [SMTP:ada@example.com]",
      "\tReason: 550 No such user",
      "",
    ],
    ...[line, "", "Received: from mx.example", "To: Ada <ada@example.com>, Bob <bob@example.com>"],
  );
  expect(readReport(source).findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
});

test("a notice in HTML alone", () => {
  const source = lines(
    ...["From: MAILER-DAEMON@mail.example", "Subject: failure notice"],
    ...["Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/html", ""],
    ...["Hi. This is the deliver program.<br>", "It didn't work out.<br><br>"],
    ...["<p class='a'>&lt;ada@example.com&gt;<br>", "<font color=red>550 No such user</font></p>"],
    ...["--b", "Content-Type: message/rfc822", "", "To: bob@example.com", "", "--b--"],
  );
  const { findings } = readReport(source);
  expect(findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
  expect(findings[0]?.reply).toBe("550 No such user");
});

test("a machine-readable part that names no recipient leaves that to the text, and nothing is certain", () => {
  const emailId = "01890a5d-ac96-774b-bcce-b302099a8057";
  const perMessage = ["Reporting-MTA: dns; mx.example", `Original-Envelope-Id: ${emailId}`];
  const report = (subject: string, ...groups: string[][]) =>
    readReport(
      statusReport({
        groups: [perMessage, ...groups],
        fields: [`Subject: ${subject}`],
        text: "ada@example.com: 550 5.1.1 No such user",
      }),
    );
  const { kind, findings, mentions } = report("Undelivered mail");
  expect([kind, mentions.emailIds]).toEqual(["notification", [emailId]]);
  expect(findings.map((one) => [brief(one), one.isStructured])).toEqual([
    ["bounce ada@example.com invalid_recipient", false],
  ]);
  expect(report("Relayed mail")).toMatchObject({ kind: "notification", findings: [] });
  const delivered = ["Final-Recipient: rfc822; ada@example.com", "Action: delivered"];
  expect(report("Undelivered mail", delivered).findings).toEqual([]);
});

test("a notice of Yahoo without a subject is read by its first words", () => {
  const source = lines(
    ...["From: MAILER-DAEMON@yahoo.com", "MIME-Version: 1.0", ""],
    ...["Sorry, we were unable to deliver your message to the following address.", ""],
    ...["<ada@example.com>:", "554 no such user", ""],
    ...["--- Below this line is a copy of the message.", "", "To: bob@example.com"],
  );
  expect(readReport(source).findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
});
