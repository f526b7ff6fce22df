import { describe, expect, test } from "vitest";
import { brief, failed, lines, statusReport } from "../../../../test/status-report.ts";
import { readReport } from "./read-report.ts";

const vague = (address: string) => [`Final-Recipient: rfc822; ${address}`, "Action: failed", "Status: 5.0.0"];

/** A notification as OpenSMTPD 6.8 writes it: `multipart/mixed`, and no reply in the machine-readable part. */
const openSmtpd = (text: string[], groups: string[][]): string =>
  lines(
    "Subject: Delivery status notification: failed",
    "From: Mailer Daemon <MAILER-DAEMON@mx.example>",
    'Content-Type: multipart/mixed;boundary="23238190/mx.example"',
    "",
    "This is a MIME-encapsulated message.",
    "",
    "--23238190/mx.example",
    "Content-Description: Notification",
    "Content-Type: text/plain; charset=us-ascii",
    "",
    "    An error has occurred while attempting to deliver a message for",
    "    the following list of recipients:",
    "",
    ...text,
    "",
    "    Below is a copy of the original message:",
    "",
    "--23238190/mx.example",
    "Content-Description: Delivery Report",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example",
    "",
    ...groups.flatMap((group) => [...group, ""]),
    "--23238190/mx.example--",
  );

describe("a notification whose machine-readable part gives no reason", () => {
  test("has those of its text, each recipient its own", () => {
    const { findings } = readReport(
      openSmtpd(
        [
          "gone@receiver.example: 550-5.1.1 The email account that you tried to reach does not exist",
          "full@receiver.example: 552 5.2.2 Over quota",
          "other@receiver.example: 550 5.7.1 Refused for a reason of our own",
        ],
        ["gone", "full", "other", "unnamed"].map((name) => vague(`${name}@receiver.example`)),
      ),
    );
    expect(findings.map((one) => [brief(one), one.reply, one.isStructured])).toEqual([
      [
        "bounce gone@receiver.example invalid_recipient",
        "550 5.1.1 The email account that you tried to reach does not exist",
        true,
      ],
      ["bounce full@receiver.example mailbox_full", "552 5.2.2 Over quota", true],
      ["bounce other@receiver.example policy", "550 5.7.1 Refused for a reason of our own", true],
      ["bounce unnamed@receiver.example other", "5.0.0", true],
    ]);
  });

  test("has none of a line that only mentions the address, and keeps a reply that it has", () => {
    const { findings } = readReport(
      openSmtpd(
        [
          "Your message to gone@receiver.example: 550 5.1.1 not delivered",
          "ada@receiver.example: 552 5.2.2 full",
        ],
        [vague("gone@receiver.example"), failed("ada@receiver.example")],
      ),
    );
    expect(findings.map(({ reply }) => reply)).toEqual(["5.0.0", "550 5.1.1 User unknown"]);
  });

  test.each([
    ["5.2.2", "550 5.1.1 unknown", "5.2.2"],
    ["5.2.2", "452 full", "5.2.2"],
    ["4.4.7", "550 unknown", "4.4.7"],
    ["5.2.2", "552 5.2.2 full", "552 5.2.2 full"],
    ["5.2.2", "552 5.0.0 full", "552 5.0.0 full"],
    ["5.2.2", "The mailbox is full", "The mailbox is full"],
    ["5.0.0", "5.1.1 unknown", "5.1.1 unknown"],
    ["4.0.0", "550 5.1.1 unknown", "4.0.0"],
  ])("with the status %s and the text %j it has the reply %j", (status, text, reply) => {
    const group = ["Final-Recipient: rfc822; ada@b.example", "Action: failed", `Status: ${status}`];
    const { findings } = readReport(openSmtpd([`ada@b.example: ${text}`], [group]));
    expect(findings).toMatchObject([{ status, reply }]);
  });

  test("is a bounce if OpenSMTPD gave the message up, which it reports as a delay", () => {
    const delayed = (address: string) => [
      `Final-Recipient: rfc822; ${address}`,
      "Action: delayed",
      "Status: 4.4.7",
    ];
    const { findings } = readReport(
      openSmtpd(
        ["ada@b.example: Envelope expired", "bob@b.example: Connection timed out"],
        [delayed("ada@b.example"), delayed("bob@b.example")],
      ),
    );
    expect(findings.map(brief)).toEqual(["bounce ada@b.example network", "delay bob@b.example network"]);
  });

  test("takes linear time, however many recipients and lines it has", () => {
    const addresses = Array.from({ length: 1_000 }, (_, index) => `a${index}@b.example`);
    const text = [
      addresses.map((address) => `${address}:`).join("\n"),
      "x\n".repeat(40_000),
      ":".repeat(300_000),
    ];
    const { findings } = readReport(statusReport({ groups: addresses.map(vague), text: text.join("\n") }));
    expect(findings).toHaveLength(1_000);
  });
});

test("Exim's text lists addresses without blank lines between their reasons", () => {
  const { findings } = readReport(
    lines(
      "X-Failed-Recipients: policy@receiver.example,",
      "  gone@receiver.example",
      "",
      "  policy@receiver.example",
      "    host mx.example [192.0.2.1]",
      "    SMTP error from remote mail server after RCPT TO:<policy@receiver.example>:",
      "    550 5.7.1 Message refused by policy",
      "  gone@receiver.example",
      "    host mx.example [192.0.2.1]",
      "    SMTP error from remote mail server after RCPT TO:<gone@receiver.example>:",
      "    550-5.1.1 The email account that you tried to reach does",
      "    550 5.1.1 not exist",
    ),
  );
  expect(findings.map(({ reply }) => reply)).toEqual([
    "550 5.7.1 Message refused by policy",
    "550 5.1.1 The email account that you tried to reach does not exist",
  ]);
});

test("a reason leaves out the brackets that Sendmail puts around it", () => {
  const text = lines(
    "   ----- The following addresses had permanent fatal errors -----",
    "<ada@b.example>",
    "    (reason: 550 5.1.1 <ada@b.example>... User unknown (in table))",
    "    (expanded from: <all@b.example>)",
    "<bob@b.example>",
    "    (reason: Data format error)",
    "",
  );
  const { findings } = readReport(
    statusReport({ groups: [vague("ada@b.example"), vague("bob@b.example")], text }),
  );
  expect(findings.map(({ reply }) => reply)).toEqual([
    "550 5.1.1 <ada@b.example>... User unknown (in table)",
    "Data format error",
  ]);
});

test("a delay's reason leaves out what Courier and Sendmail write around it", () => {
  const delayed = ["Final-Recipient: rfc822; ada@b.example", "Action: delayed", "Status: 4.0.0"];
  const courier = lines(
    "<ada@b.example>:",
    "     [192.0.2.1] [192.0.2.1]:",
    " >>> RCPT TO:<ada@b.example> NOTIFY=FAILURE,DELAY ORCPT=rfc822;ada@b.example",
    " <<< 451 4.3.0 Try again later",
  );
  const sendmail = lines(
    "   ----- Transcript of session follows -----",
    "<ada@b.example>... Deferred: Connection refused by mx.b.example.",
    "Warning: message still undelivered after 4 hours",
    "Will keep trying until message is 5 days old",
  );
  expect(readReport(statusReport({ groups: [delayed], text: courier })).findings).toMatchObject([
    { kind: "delay", reply: "451 4.3.0 Try again later" },
  ]);
  expect(readReport(statusReport({ groups: [delayed], text: sendmail })).findings).toMatchObject([
    { kind: "delay", reply: "Deferred: Connection refused by mx.b.example." },
  ]);
});
