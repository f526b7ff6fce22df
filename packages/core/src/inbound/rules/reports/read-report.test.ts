import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { brief, failed, lines, statusReport, token, tokens } from "../../../../test/status-report.ts";
import { readReport } from "./read-report.ts";

const uuid = "0198c1d2-7f3a-7000-8000-000000001092";

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/${name}.eml`, import.meta.url), "latin1");

describe("a server's notification", () => {
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
      "exim-unrouteable",
      [
        "bounce unknown2@receiver.example invalid_recipient",
        "bounce unknown1@receiver.example invalid_recipient",
      ],
    ],
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
      expect(kind).toBe("notification");
      expect(findings.map(brief)).toEqual(expected);
      expect(mentions.tokens).toHaveLength(1);
      expect(tokens.read(mentions.tokens[0] ?? "")?.row).toBeGreaterThan(4240);
      expect(mentions.emailIds).toHaveLength(1);
    }
  });
});

test.each([
  [
    "550-5.1.1 No mailbox\n 550-5.1.1 by that name\n 550 5.1.1 here",
    "550 5.1.1 No mailbox by that name here",
  ],
  ["550-No mailbox\n 550 by 5505", "550 No mailbox by 5505"],
  ["550-5.1.1\n 550-5.1.1 No mailbox\n 550-5.1.1 \n 550-5.1.1\n 550 5.1.1 here", "550 5.1.1 No mailbox here"],
  ["550-5.1.1 No mailbox\n 550 5.1.1", "550 5.1.1 No mailbox"],
  ["550-\n 550 No mailbox", "550 No mailbox"],
  ["550-No mailbox\n 550 5.1.1 here", "550 No mailbox 5.1.1 here"],
  ["550-5.1.1 No mailbox, error 550 here\n 550 5.1.1 now", "550 5.1.1 No mailbox, error 550 here now"],
  ["550 5.1.1 No mailbox, error 550 5.1.1", "550 5.1.1 No mailbox, error 550 5.1.1"],
])("a reply of several lines is one line, with its codes once: %j", (reply, line) => {
  const group = [
    "Final-Recipient: rfc822;ada@example.com",
    "Action: failed",
    `Diagnostic-Code: smtp; ${reply}`,
  ];
  expect(readReport(statusReport({ groups: [group] })).findings).toMatchObject([{ reply: line }]);
});

test.each([
  ["failure", ["bounce"]],
  ["Failure (permanent)", ["bounce"]],
  ["fail", ["bounce"]],
  ["delay", ["delay"]],
  ["delivered", []],
  ["expanded", []],
  // Words that mean nothing leave it to the status.
  ["error", ["bounce"]],
  ["constructor", ["bounce"]],
])("an action may be written otherwise: %s", (action, kinds) => {
  const groups = [["Final-Recipient: rfc822;ada@example.com", `Action: ${action}`, "Status: 5.1.1"]];
  expect(readReport(statusReport({ groups })).findings.map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  [undefined, ["bounce ada@example.com other"]],
  ["5.1.1", ["bounce ada@example.com invalid_recipient"]],
  ["4.4.1", ["delay ada@example.com network"]],
  ["2.0.0", []],
])("an action may be missing, with the status %s", (status, findings) => {
  const group = ["Final-Recipient: rfc822;ada@example.com", ...(status ? [`Status: ${status}`] : [])];
  expect(readReport(statusReport({ groups: [group] })).findings.map(brief)).toEqual(findings);
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

  test("reports each, neither only up to the first that has not failed nor only the last", () => {
    const { findings } = readReport(statusReport({ groups }));
    expect(findings.map(({ kind, addresses }) => [kind, ...addresses])).toEqual([
      ["delay", "first@receiver.example"],
      ["bounce", "second@receiver.example"],
      ["bounce", "fourth@receiver.example"],
    ]);
  });

  test("does not treat the message's fields as a recipient", () => {
    const told = readReport(
      statusReport({
        groups: [
          [
            "Reporting-MTA: dns; mx.example",
            "Action: failed",
            "Status: 5.0.0",
            `X-Original-Message-ID: <${uuid}@shop.example>`,
          ],
        ],
      }),
    );
    expect(told).toMatchObject({ kind: "notification", findings: [], mentions: { emailIds: [uuid] } });
  });

  test("is read without blank lines between, and without the message's fields", () => {
    const flat = [
      ...groups.slice(0, 2).flat(),
      "Original-Recipient: rfc822;alias@receiver.example",
      ...failed("second@receiver.example"),
      ...failed("fourth@receiver.example", "5.2.2"),
    ];
    const { findings, mentions } = readReport(statusReport({ groups: [flat] }));
    expect(findings.map(({ kind, status, addresses }) => [kind, status, ...addresses])).toEqual([
      ["delay", "4.2.2", "first@receiver.example"],
      ["bounce", "5.1.1", "alias@receiver.example", "second@receiver.example"],
      ["bounce", "5.2.2", "fourth@receiver.example"],
    ]);
    expect(mentions.emailIds).toEqual([uuid]);
    expect(readReport(statusReport({ groups: [failed("a@b.example")] })).findings).toHaveLength(1);
    const original = [["Action: delayed", "Original-Recipient: rfc822; a@b.example"]];
    expect(readReport(statusReport({ groups: original })).findings).toMatchObject([{ kind: "delay" }]);
  });
});

test("addresses are read in all their forms", () => {
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
  expect(of("UTF-8; ada@example.com (Ada)", "x400;/C=de/S=ada")).toEqual(["ada@example.com"]);
  expect(of("", "ada@example.com")).toEqual(["ada@example.com"]);
  expect(of("rfc822;ada+40example.com", "ada+40@example.com")).toEqual([
    "ada@example.com",
    "ada+40@example.com",
  ]);
});

describe("the e-mail is found by", () => {
  const returned = (type: string) => ({
    type,
    text: lines(`X-Service-Ref: ${token}`, `Message-ID: <${uuid}@sender.example>`, "Subject: Hello", ""),
  });
  const groups = [["Reporting-MTA: dns; mx.example"], failed("ada@example.com")];

  test.each(["message/rfc822", "text/rfc822-headers", "message/global-headers", "Message/RFC822 (yours)"])(
    "what is returned as %s",
    (type) => {
      expect(readReport(statusReport({ groups, returned: returned(type) })).mentions).toEqual({
        tokens: [token],
        emailIds: [uuid],
      });
    },
  );

  test("the return path takes precedence over the returned message, also if a gateway wrote it in capitals", () => {
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

  test.each(["Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To"])(
    "the return path in %s, which a mailbox adds",
    (name) => {
      const fields = ["To: bounces@shop.example", `${name}: b-${token}@bounces.example`];
      expect(readReport(statusReport({ groups, fields })).mentions.tokens).toEqual([token]);
    },
  );

  test("at most five of each are examined", () => {
    const many = Array.from(
      { length: 50 },
      (_, row) => `X-Service-Ref: ${tokens.make({ row, position: 0 })}`,
    );
    const text = lines("A: b", "", ...many);
    const { mentions } = readReport(statusReport({ groups, returned: { type: "message/rfc822", text } }));
    expect(mentions.tokens).toHaveLength(5);
  });
});

describe("a message that is no report", () => {
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

  test("an empty message, and random bytes", () => {
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
