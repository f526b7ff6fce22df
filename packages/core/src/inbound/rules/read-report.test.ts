import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { classifyRefusal } from "./classify-refusal.ts";
import { readReport } from "./read-report.ts";
import type { Finding } from "./report.ts";
import { createReportTokens } from "./report-token.ts";

// The key that the messages of the fixtures were made with.
const tokens = createReportTokens(Buffer.alloc(32, 7));
const token = tokens.make({ row: 77, position: 2 });
const uuid = "0198c1d2-7f3a-7000-8000-000000001092";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}.eml`, import.meta.url), "latin1");

const brief = ({ kind, addresses, status, reply }: Finding) =>
  [kind, addresses.at(-1) ?? "", classifyRefusal({ status, reply, stage: "recipient" }).category].join(" ");

const lines = (...text: string[]): string => text.join("\r\n");

interface StatusReport {
  /** The groups of the machine's part, without the blank lines between. */
  groups: string[][];
  fields?: string[];
  returned?: { type: string; text: string };
}

const statusReport = ({ groups, fields = [], returned }: StatusReport): string =>
  lines(
    "From: MAILER-DAEMON@mx.example",
    ...fields,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b=1"',
    "",
    "--b=1",
    "",
    "It did not arrive.",
    "--b=1",
    "Content-Type: message/delivery-status",
    "",
    groups.map((group) => group.join("\r\n")).join("\r\n\r\n"),
    "",
    ...(returned === undefined ? [] : ["--b=1", `Content-Type: ${returned.type}`, "", returned.text]),
    "--b=1--",
    "",
  );

const failed = (address: string, status = "5.1.1") => [
  `Final-Recipient: rfc822; ${address}`,
  "Action: failed",
  `Status: ${status}`,
  "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
];

describe("a notification that a server made", () => {
  test.each([
    ["postfix-unknown-user", ["bounce unknown@receiver.example invalid_recipient"]],
    ["postfix-no-enhanced-code", ["bounce bare@receiver.example invalid_recipient"]],
    [
      "postfix-two-of-four",
      [
        "bounce unknown+tag@receiver.example invalid_recipient",
        "bounce unknown2@receiver.example invalid_recipient",
      ],
    ],
    ["postfix-delayed", ["delay full@receiver.example mailbox_full"]],
    ["postfix-content-refused", ["bounce content@receiver.example other"]],
    ["postfix-mailbox-full", ["bounce hardfull@receiver.example mailbox_full"]],
    ["exim-mailbox-full", ["bounce hardfull@receiver.example mailbox_full"]],
    [
      "exim-three-of-four",
      [
        "bounce unknown+tag@receiver.example invalid_recipient",
        "bounce unknown2@receiver.example invalid_recipient",
        "bounce full@receiver.example mailbox_full",
      ],
    ],
  ])("%s, in CRLF and in LF", (name, expected) => {
    const text = fixture(name).replaceAll("\r\n", "\n");
    for (const source of [text, text.replaceAll("\n", "\r\n")]) {
      const { kind, findings, mentions } = readReport(source);
      expect(kind).toBe("delivery");
      expect(findings.map(brief)).toEqual(expected);
      expect(mentions.tokens).toHaveLength(1);
      expect(tokens.read(mentions.tokens[0] ?? "")?.row).toBeGreaterThan(4240);
      expect(mentions.emailIds).toHaveLength(1);
    }
  });
});

describe("a report for several recipients", () => {
  const groups = [
    ["Reporting-MTA: dns; mx.example", `Original-Envelope-Id: ${uuid}`],
    [
      "Final-Recipient: rfc822;first@receiver.example",
      "Action: Delayed",
      "Status: 4.2.2",
      "Will-Retry-Until: Sun, 22 Nov 2026 10:00:00 +0000",
    ],
    failed("second@receiver.example"),
    ["Final-Recipient: rfc822;third@receiver.example", "Action: relayed", "Status: 2.0.0"],
    failed("fourth@receiver.example", "5.2.2"),
  ];

  test("tells each: it neither stops at the first that has not failed nor keeps only the last", () => {
    const { findings } = readReport(statusReport({ groups }));
    expect(findings.map(({ kind, addresses }) => [kind, ...addresses])).toEqual([
      ["delay", "first@receiver.example"],
      ["bounce", "second@receiver.example"],
      ["bounce", "fourth@receiver.example"],
    ]);
  });

  test("does not take the group of the message for a recipient", () => {
    const told = readReport(
      statusReport({ groups: [["Reporting-MTA: dns; mx.example", "Action: failed", "Status: 5.0.0"]] }),
    );
    expect(told).toMatchObject({ kind: "delivery", findings: [] });
  });

  test("is read without blank lines between, and without the group of the message", () => {
    const flat = [[...groups.slice(0, 3).flat(), ...failed("fourth@receiver.example")]];
    const { findings, mentions } = readReport(statusReport({ groups: flat }));
    expect(findings.map(({ addresses }) => addresses)).toEqual([
      ["first@receiver.example"],
      ["second@receiver.example"],
      ["fourth@receiver.example"],
    ]);
    expect(mentions.emailIds).toEqual([uuid]);
    expect(readReport(statusReport({ groups: [failed("a@b.example")] })).findings).toHaveLength(1);
  });
});

test("addresses come in many clothes", () => {
  const of = (original: string, final: string) =>
    readReport(
      statusReport({
        groups: [
          [
            `Original-Recipient: ${original}`,
            `Final-Recipient: ${final}`,
            "Action: failed (bad)",
            "Status: 5.1.1 (unknown)",
          ],
        ],
      }),
    ).findings[0]?.addresses;
  expect(of("rfc822;ada+2Btag@example.com", "RFC822; <ada@other.example> (forwarded)")).toEqual([
    "ada+tag@example.com",
    "ada@other.example",
  ]);
  expect(of("utf-8; ada@example.com", "x400;/C=de/S=ada")).toEqual(["ada@example.com"]);
  expect(of("", "ada@example.com")).toEqual(["ada@example.com"]);
});

describe("by what an e-mail is known", () => {
  const returned = (type: string) => ({
    type,
    text: lines(`X-Service-Ref: ${token}`, `Message-ID: <${uuid}@sender.example>`, "Subject: Hello", ""),
  });
  const groups = [["Reporting-MTA: dns; mx.example"], failed("ada@example.com")];

  test.each(["message/rfc822", "text/rfc822-headers", "message/global-headers"])(
    "what is returned as %s",
    (type) => {
      expect(readReport(statusReport({ groups, returned: returned(type) })).mentions).toEqual({
        tokens: [token],
        emailIds: [uuid],
      });
    },
  );

  test("the return path goes before what is returned, also where a gateway wrote it in capitals", () => {
    const other = tokens.make({ row: 78, position: 0 }).toUpperCase();
    const { mentions } = readReport(
      statusReport({
        groups,
        fields: [`To: <B-${other}@BOUNCES.EXAMPLE>`],
        returned: returned("message/rfc822"),
      }),
    );
    expect(mentions.tokens).toEqual([other, token]);
  });

  test("at most five of each are looked at", () => {
    const many = Array.from(
      { length: 50 },
      (_, row) => `X-Service-Ref: ${tokens.make({ row, position: 0 })}`,
    );
    const text = lines("A: b", "", ...many);
    const { mentions } = readReport(statusReport({ groups, returned: { type: "message/rfc822", text } }));
    expect(mentions.tokens).toHaveLength(5);
  });
});

describe("a complaint", () => {
  const complaint = (type: string, more: string[] = [], returnedTo = "ada@example.com"): string =>
    lines(
      "From: fbl@isp.example",
      "Content-Type: multipart/report; report-type=feedback-report; boundary=x",
      "",
      "--x",
      "Content-Type: text/plain",
      "",
      "This is an email abuse report.",
      "--x",
      "Content-Type: message/feedback-report",
      "",
      `Feedback-Type: ${type}`,
      "User-Agent: ISP/1.0",
      "Version: 1",
      ...more,
      "",
      "--x",
      "Content-Type: message/rfc822",
      "",
      `To: ${returnedTo}`,
      `X-Service-Ref: ${token}`,
      "",
      "Hello",
      "--x--",
    );

  test.each(["abuse", "fraud", "virus", "opt-out", "Abuse"])("of the type %s counts", (type) => {
    const { kind, findings, mentions } = readReport(complaint(type, ["Original-Rcpt-To: <ada@example.com>"]));
    expect(kind).toBe("feedback");
    expect(findings).toMatchObject([
      { kind: "complaint", addresses: ["ada@example.com"], feedback: type.toLowerCase() },
    ]);
    expect(mentions.tokens).toEqual([token]);
  });

  test.each(["not-spam", "dkim", "other", "", "abuse2"])("of the type %j does not", (type) => {
    expect(readReport(complaint(type))).toMatchObject({ kind: "feedback", findings: [] });
  });

  test("finds the e-mail by its return path where nothing else came back", () => {
    const other = tokens.make({ row: 9, position: 0 });
    const { mentions, findings } = readReport(
      complaint("abuse", [`Original-Mail-From: <b-${other}@bounces.example>`], "redacted"),
    );
    expect(mentions.tokens[0]).toBe(other);
    expect(findings).toHaveLength(1);
  });

  test("names each recipient that it is about", () => {
    const { findings } = readReport(
      complaint("abuse", ["Original-Rcpt-To: a@example.com", "Original-Rcpt-To: b@example.com"]),
    );
    expect(findings.map(({ addresses }) => addresses)).toEqual([["a@example.com"], ["b@example.com"]]);
  });
});

describe("servers without RFC 3464: recipient and reason are found, and nothing is certain", () => {
  test("Exim's header and text", () => {
    const { kind, findings, mentions } = readReport(
      lines(
        "X-Failed-Recipients: ada@example.com, bob@example.com",
        "Auto-Submitted: auto-replied",
        "From: Mail Delivery System <Mailer-Daemon@mx.example>",
        "",
        "The following address(es) failed:",
        "",
        "  ada@example.com",
        "    SMTP error from remote mail server after RCPT TO:<ada@example.com>:",
        "    550 5.1.1 No such user",
        "",
        "  bob@example.com",
        "    mailbox is full",
        "",
        "------ This is a copy of the message, including all the headers. ------",
        "",
        "To: ada@example.com",
        `X-Service-Ref: ${token}`,
      ),
    );
    expect(kind).toBe("delivery");
    expect(findings.map((one) => [brief(one), one.isStructured])).toEqual([
      ["bounce ada@example.com invalid_recipient", false],
      ["bounce bob@example.com other", false],
    ]);
    expect(mentions.tokens).toEqual([token]);
  });

  test("qmail's QSBMF", () => {
    const { findings, mentions } = readReport(
      lines(
        "From: MAILER-DAEMON@mx.example",
        "Subject: failure notice",
        "",
        "Hi. This is the qmail-send program at mx.example.",
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "",
        "<ada@example.com>:",
        "192.0.2.1 does not like recipient.",
        "Remote host said: 550 5.1.1 No such user here",
        "Giving up on 192.0.2.1.",
        "",
        "<bob@example.com>:",
        "Sorry, no mailbox here by that name. (#5.1.1)",
        "",
        "--- Below this line is a copy of the message.",
        "",
        `Return-Path: <b-${token}@bounces.example>`,
      ),
    );
    expect(findings.map(brief)).toEqual([
      "bounce ada@example.com invalid_recipient",
      "bounce bob@example.com invalid_recipient",
    ]);
    expect(mentions.tokens).toEqual([token]);
  });

  test("Exchange's letter to a person", () => {
    const { findings } = readReport(
      lines(
        "Subject: Undeliverable: Hello",
        "",
        "Your message did not reach some or all of the intended recipients.",
        "",
        "      ada@example.com on 21.11.2026 10:00",
        "            The e-mail account does not exist. <mx.example #5.1.1>",
      ),
    );
    expect(findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
    expect(findings[0]?.isStructured).toBe(false);
  });
});

describe("what is no report", () => {
  test.each([
    ["Auto-Submitted: auto-replied"],
    ["Auto-Submitted: auto-generated (vacation)"],
    ["X-Autoreply: yes"],
    ["Precedence: auto_reply"],
  ])("an automatic reply: %s", (field) => {
    expect(readReport(lines(field, "From: ada@example.com", "", "I am away."))).toMatchObject({
      kind: "auto_reply",
      findings: [],
    });
  });

  test.each(["Auto-Submitted: no", "From: ada@example.com"])("a person's answer: %s", (field) => {
    expect(readReport(lines(field, "", "Thanks! 550 5.1.1 user unknown <ada@example.com>"))).toMatchObject({
      kind: "other",
      findings: [],
    });
  });

  test("nothing, and bytes of no sense", () => {
    for (const source of [
      "",
      "\n",
      "\n\n",
      ":",
      "--b\n--b--",
      "\0\xff".repeat(1000),
      "Content-Type: multipart/report; boundary=\n\n--\n--",
    ])
      expect(readReport(source).kind).toBe("other");
  });
});

describe("a bomb", () => {
  test("of nesting is looked into three deep", () => {
    let source = lines("Content-Type: message/delivery-status", "", ...failed("deep@example.com"));
    for (let depth = 0; depth < 200; depth++)
      source = lines(
        `Content-Type: multipart/mixed; boundary=b${depth}`,
        "",
        `--b${depth}`,
        source,
        `--b${depth}--`,
      );
    expect(readReport(source)).toMatchObject({ kind: "other", findings: [] });
  });

  test("of parts, of fields and of recipients ends", () => {
    const parts = "--b\n\nx\n".repeat(50_000);
    expect(readReport(`Content-Type: multipart/mixed; boundary=b\n\n${parts}`).kind).toBe("other");
    expect(readReport(`${"A: b\n".repeat(200_000)}\n`).kind).toBe("other");
    const groups = Array.from({ length: 5_000 }, (_, index) => failed(`a${index}@example.com`));
    expect(readReport(statusReport({ groups })).findings).toHaveLength(1_000);
  });

  test("of blank and quoted lines, and of an address that never ends, takes no longer than it is long", () => {
    const many = 300_000;
    const notice = "Hi. This is the qmail-send program\n\n";
    for (const text of ["\n".repeat(many), "> \n".repeat(many), "\n \t".repeat(many)])
      expect(
        readReport(
          statusReport({ groups: [failed("ada@example.com")], returned: { type: "text/plain", text } }),
        ).findings,
      ).toHaveLength(1);
    for (const address of ["@", "a@"])
      expect(readReport(`\n${notice}<${address.repeat(many)}`).findings).toEqual([]);
  });

  test("of folded lines, of brackets and of blanks ends", () => {
    for (const text of [
      `A: b\n${" c\n".repeat(300_000)}`,
      `X-Failed-Recipients: ${"(".repeat(100_000)}`,
      `Subject:${" ".repeat(500_000)}x`,
    ])
      expect(readReport(text).findings.length).toBeLessThanOrEqual(1);
    const groups = [[`Final-Recipient: rfc822; ${"(".repeat(9_000)}`, "Action: failed"]];
    expect(readReport(statusReport({ groups })).findings).toHaveLength(1);
  });
});
