import { describe, expect, test } from "vitest";
import { brief, failed, lines, statusReport, token } from "../../../../test/status-report.ts";
import { readReport } from "./read-report.ts";

describe("servers without RFC 3464: recipient and reason are found, and nothing is certain", () => {
  test("Exim's header and text", () => {
    const { kind, findings, mentions } = readReport(
      lines(
        "X-Failed-Recipients: ada@example.com, bob@example.com,",
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
    expect(kind).toBe("notification");
    expect(findings.map((one) => [brief(one), one.isStructured])).toEqual([
      ["bounce ada@example.com invalid_recipient", false],
      ["bounce bob@example.com other", false],
    ]);
    expect(mentions.tokens).toEqual([token]);
  });

  test("Exim's quotation of a reply without an enhanced code", () => {
    const { findings } = readReport(
      lines(
        "X-Failed-Recipients: ada@example.com",
        "",
        "  ada@example.com",
        "    SMTP error from remote mail server after RCPT TO:<ada@example.com>:",
        "    host mx2.example [192.0.2.9]: 550 No such user here",
      ),
    );
    expect(findings.map(({ reply }) => reply)).toEqual(["550 No such user here"]);
    expect(findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
  });

  test("dma's", () => {
    const report = readReport(
      lines(
        "From: MAILER-DAEMON <>",
        `To: b-${token}@bounces.shop.example`,
        "Subject: Mail delivery failed",
        "",
        "This is the DragonFly Mail Agent v0.13 at mx.example.",
        "",
        "There was an error delivering your mail to <ada@example.com>.",
        "",
        "mx2.example [192.0.2.1] did not like our RCPT TO:",
        "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown",
        "",
        "Original message follows.",
        "",
        "From: shop@shop.example",
        "To: other@example.com",
      ),
    );
    expect(report).toMatchObject({ kind: "notification", mentions: { tokens: [token] } });
    expect(report.findings.map(brief)).toEqual(["bounce ada@example.com invalid_recipient"]);
    expect(report.findings).toMatchObject([
      { isStructured: false, reply: "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown" },
    ]);
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
    expect(findings[0]?.reply).toBe("550 5.1.1 No such user here");
    expect(mentions.tokens).toEqual([token]);
  });

  test("Exchange's human-readable notice", () => {
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

const attaching = (...messages: string[]): string =>
  lines(
    "From: staff@hotmail.com",
    "Subject: complaint about message from 192.0.2.1",
    "Content-Type: multipart/mixed; boundary=out",
    "",
    ...messages.flatMap((message) => ["--out", "Content-Type: message/rfc822", "", message]),
    "--out--",
  );
const sent = lines(`X-Service-Ref: ${token}`, "To: ada@example.com", "", "Hello");
const bounced = statusReport({
  groups: [["Reporting-MTA: dns; mx.example"], failed("ada@example.com")],
  returned: { type: "message/rfc822", text: sent },
});

describe("a message with another attached", () => {
  test("is read as the notification that it forwards", () => {
    const { kind, findings, mentions } = readReport(attaching(bounced));
    expect([kind, findings.map(brief)]).toEqual([
      "notification",
      ["bounce ada@example.com invalid_recipient"],
    ]);
    expect(mentions.tokens).toEqual([token]);
  });

  test("is none if it forwards two, or if a report of another kind returns one", () => {
    expect(readReport(attaching(bounced, bounced)).kind).toBe("other");
    const readReceipt = attaching(bounced).replace("multipart/mixed", "multipart/report");
    expect(readReport(readReceipt).kind).toBe("other");
  });

  test("is a complaint if Outlook.com names the recipient who complained in it", () => {
    const { kind, findings, mentions } = readReport(
      attaching(`X-HmXmrOriginalRecipient: <ada@example.com>\r\n${sent}`),
    );
    expect(kind).toBe("complaint");
    expect(findings).toMatchObject([
      {
        kind: "complaint",
        addresses: ["ada@example.com"],
        feedback: "abuse",
        reply: "abuse complaint about message from 192.0.2.1",
      },
    ]);
    expect(mentions.tokens).toEqual([token]);
    expect(readReport(attaching(sent)).kind).toBe("other");
  });
});

describe("a report about an international address", () => {
  const report = (recipient: string, reply: string): string =>
    Buffer.from(
      lines(
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "",
        "--b",
        "Content-Type: message/global-delivery-status",
        "",
        "Reporting-MTA: dns; mx.example",
        "",
        `Final-Recipient: utf-8; ${recipient}`,
        "Action: failed",
        `Diagnostic-Code: smtp; ${reply}`,
        "--b--",
      ),
    ).toString("latin1");

  test.each(["用户@例子.example", String.raw`\x{7528}\x{6237}@\x{4F8B}\x{5B50}.example`])(
    "is read from %s",
    (recipient) => {
      const { findings } = readReport(report(recipient, "550 5.1.1 Kein Postfach für diesen Namen"));
      expect(findings).toMatchObject([
        { addresses: ["用户@例子.example"], reply: "550 5.1.1 Kein Postfach für diesen Namen" },
      ]);
    },
  );

  test("keeps another encoding's bytes", () => {
    const bytes = report("ada@example.com", "550 5.1.1 no").replace("5.1.1 no", "5.1.1 f\xfcr");
    expect(readReport(bytes).findings[0]?.reply).toBe("550 5.1.1 f\xfcr");
  });
});

describe("a message designed to exhaust the parser", () => {
  test("with nested parts is read three levels deep", () => {
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

  test("with many parts, fields and recipients is limited", () => {
    const parts = "--b\n\nx\n".repeat(50_000);
    expect(readReport(`Content-Type: multipart/mixed; boundary=b\n\n${parts}`).kind).toBe("other");
    expect(readReport(`${"A: b\n".repeat(200_000)}\n`).kind).toBe("other");
    const groups = Array.from({ length: 5_000 }, (_, index) => failed(`a${index}@example.com`));
    expect(readReport(statusReport({ groups })).findings).toHaveLength(1_000);
  });

  test("with blank and quoted lines and an endless address takes linear time", () => {
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

  test("with spaces behind qmail's last words takes linear time", () => {
    const reply = `550 no\nGiving up on ${" ".repeat(300_000)}x\ny`;
    const notice = lines("", "Hi. This is the qmail-send program", "", "<ada@example.com>:");
    const { findings } = readReport(`${notice}\nRemote host said: ${reply}`);
    expect(findings.map(brief)).toEqual(["bounce ada@example.com other"]);
  });

  test("with long addresses that a long text nearly holds is searched at its beginning only", () => {
    const near = `${"ab".repeat(150)}a`;
    const text = `${"ab".repeat(149)}b`.repeat(8_000);
    const notice = (address: string) =>
      `X-Failed-Recipients: ${Array(30).fill(near).join(",")},${address}\n\n${text}\n${address}\n  550 no`;
    expect(readReport(notice("ada@example.com")).findings.map(({ reply }) => reply)).toEqual(
      Array(31).fill(""),
    );
    expect(readReport(notice(`${"a".repeat(400)}@example.com`)).findings).toHaveLength(30);
  });

  test.each(["\n", "\r\n", "\r"])(
    "with more than 50,000 lines is read as far as those, ended by %j",
    (end) => {
      const preamble = (count: number) =>
        statusReport({ groups: [failed("ada@example.com")] }).replace(
          "--b=1",
          `${"x\r\n".repeat(count)}--b=1`,
        );
      const found = (count: number) => readReport(preamble(count).replaceAll("\r\n", end)).findings.length;
      expect([found(49_900), found(50_000)]).toEqual([1, 0]);
    },
  );

  test("with folded lines, brackets and spaces is limited", () => {
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
