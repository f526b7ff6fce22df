import { expect, test } from "vitest";
import { classifyRefusal } from "../bounces/classify-refusal.ts";
import { readGeneric } from "./generic.ts";
import { readMailgun } from "./mailgun.ts";
import { readPostmark } from "./postmark.ts";
import type { ProviderReport } from "./provider-report.ts";
import { readResend } from "./resend.ts";
import { readSendgrid } from "./sendgrid.ts";
import { readSes } from "./ses.ts";

const postmark = (Details: string, Type = "HardBounce"): ProviderReport[] =>
  readPostmark({ RecordType: "Bounce", Type, Email: "ada@example.com", Details });

const resend = (bounce: object): ProviderReport[] =>
  readResend({
    type: "email.bounced",
    data: { email_id: "1", to: ["ada@example.com"], bounce: { type: "Permanent", ...bounce } },
  });

const ses = (
  diagnosticCode: string,
  more: { bounceType?: string; bounceSubType?: string; status?: string } = {},
): ProviderReport[] =>
  readSes({
    notificationType: "Bounce",
    bounce: {
      bounceType: more.bounceType ?? "Permanent",
      bounceSubType: more.bounceSubType ?? "General",
      bouncedRecipients: [
        { emailAddress: "ada@example.com", action: "failed", status: more.status, diagnosticCode },
      ],
    },
    mail: { messageId: "1" },
  });

const unsent =
  "Amazon SES did not send the message to this address because it is on the suppression list for your account.";
const explanation = "The recipient's email provider sent a hard bounce message.";

test.each([
  [
    "Postmark's details",
    postmark("smtp;554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0]"),
    "554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0]",
    "invalid_recipient",
  ],
  [
    "SES about an address on its own list, whatever the status,",
    ses(unsent, { bounceSubType: "OnAccountSuppressionList", status: "5.1.1" }),
    unsent,
    "other",
  ],
  [
    "SES about a complaint of another e-mail",
    readSes({
      notificationType: "Complaint",
      complaint: {
        complaintSubType: "OnAccountSuppressionList",
        complainedRecipients: [{ emailAddress: "ada@example.com" }],
      },
    }),
    "OnAccountSuppressionList",
    "other",
  ],
  ["SES of undetermined type", ses("", { bounceType: "Undetermined" }), "", "other"],
  ["SES of a passing type", ses("", { bounceType: "Transient" }), "4.0.0", "transient"],
  ["SES's diagnostic code", ses("smtp; 550 No such user"), "550 No such user", "invalid_recipient"],
  ["SES's status, if it is all", ses("", { status: "5.1.1" }), "5.1.1", "invalid_recipient"],
  [
    "SES's status, also of a passing type",
    ses("", { bounceType: "Transient", status: "4.2.2" }),
    "4.2.2",
    "mailbox_full",
  ],
  [
    "SES's cause of a passing type, before a status that says nothing,",
    ses("", { bounceType: "Transient", bounceSubType: "MailboxFull", status: "4.0.0" }),
    "MailboxFull",
    "mailbox_full",
  ],
  [
    "SES's cause, beside a reply without a code,",
    ses("smtp; 552 Too long", { bounceType: "Transient", bounceSubType: "MessageTooLarge" }),
    "552 Too long",
    "too_large",
  ],
  [
    "SES's cause of a refused content",
    ses("", { bounceType: "Transient", bounceSubType: "ContentRejected" }),
    "ContentRejected",
    "content",
  ],
  [
    "SES's cause of a refused attachment",
    ses("", { bounceType: "Transient", bounceSubType: "AttachmentRejected", status: "5.0.0" }),
    "AttachmentRejected",
    "attachment",
  ],
  [
    "SES's status, before its cause,",
    ses("", { bounceSubType: "MailboxFull", status: "5.1.1" }),
    "MailboxFull",
    "invalid_recipient",
  ],
  [
    "Resend's diagnostic code",
    resend({ message: explanation, diagnosticCode: ["smtp; 550 5.1.1 user unknown"] }),
    "550 5.1.1 user unknown",
    "invalid_recipient",
  ],
  ["Resend's message, if it is all", resend({ message: explanation }), explanation, "other"],
])("%s gives the reply and its meaning", (_, reports, reply, category) => {
  const [finding] = reports.flatMap(({ findings }) => findings);
  expect(finding?.kind).toBe("bounce");
  expect(finding?.reply).toBe(reply);
  expect(classifyRefusal({ status: finding?.status, reply, stage: "recipient" }).category).toBe(category);
});

test.each([
  ["BadEmailAddress", "invalid_recipient"],
  ["SoftBounce", "transient"],
  ["DnsError", "network"],
  ["Blocked", "policy"],
  ["SpamNotification", "policy"],
  ["VirusNotification", "policy"],
  ["DMARCPolicy", "authentication"],
  ["SMTPApiError", "other"],
  ["Unknown", "other"],
])("Postmark's type %s without a reply means %s", (type, category) => {
  const [finding] = postmark("", type).flatMap(({ findings }) => findings);
  expect(finding?.kind).toBe("bounce");
  const { status, reply = "" } = finding ?? {};
  expect(classifyRefusal({ status, reply, stage: "recipient" }).category).toBe(category);
});

test("SES's bounce that names nobody is undecided", () => {
  const undecided = (bounceSubType: string) =>
    ses("", { bounceSubType, status: "5.1.1" })[0]?.findings[0]?.isUndecided;
  expect([undecided("NoEmail"), undecided("General")]).toEqual([true, undefined]);
});

test("an address whose local part is quoted without need is that address", () => {
  const addresses = [
    '"ada"@example.com',
    'Ada <"ada"@example.com>',
    '"a b"@example.com',
    '"a@b"@example.com',
  ];
  const read = addresses.map((Email) => readPostmark({ RecordType: "SpamComplaint", Email }));
  expect(read.flatMap(([report]) => report?.findings[0]?.addresses)).toEqual([
    "ada@example.com",
    "ada@example.com",
    '"a b"@example.com',
    '"a@b"@example.com',
  ]);
});

test("a type that an object has by nature is unknown", () => {
  const type = "constructor";
  expect(readPostmark({ RecordType: "Bounce", Type: type, Email: "ada@example.com" })).toEqual([]);
  expect(readResend({ type, data: { to: ["ada@example.com"] } })).toEqual([]);
});

const mailgun = (fields: object): ProviderReport[] =>
  readMailgun({ "event-data": { event: "failed", recipient: "ada@example.com", ...fields } });
const sendgrid = (event: string, more: object = {}): ProviderReport[] =>
  readSendgrid({
    event,
    email: "ada@example.com",
    response: "451 4.7.0 later",
    sg_message_id: "id.filter.0",
    ...more,
  });

test.each([
  [
    "Mailgun",
    mailgun({ severity: "permanent", "delivery-status": { code: 550, message: "5.1.1 No" } }),
    ["bounce 550 5.1.1 No"],
  ],
  [
    "Mailgun, in words of its own",
    mailgun({
      "delivery-status": { code: 605, "enhanced-code": "5.4.7", message: "", description: "Too old" },
    }),
    ["bounce Too old (5.4.7)"],
  ],
  ["Mailgun, temporary", mailgun({ severity: "temporary" }), ["delay"]],
  ["Mailgun about its own suppression", mailgun({ reason: "suppress-bounce" }), []],
  ["Mailgun, complained", mailgun({ event: "complained" }), ["complaint"]],
  ["Mailgun, opened", mailgun({ event: "opened" }), []],
  ["SendGrid", sendgrid("bounce", { reason: "550 No", status: "5.0.0" }), ["bounce 550 No (5.0.0)"]],
  ["SendGrid, deferred", sendgrid("deferred"), ["delay 451 4.7.0 later"]],
  ["SendGrid, spamreport", sendgrid("spamreport"), ["complaint"]],
  ["SendGrid, dropped", sendgrid("dropped"), []],
  [
    "Postmark, Transient",
    readPostmark({ RecordType: "Bounce", Type: "Transient", Email: "ada@example.com", Description: "Later" }),
    ["delay Later (4.0.0)"],
  ],
  [
    "Postmark, SpamComplaint",
    readPostmark([{ RecordType: "SpamComplaint", Email: "ada@example.com" }]),
    ["complaint"],
  ],
  [
    "SES, DeliveryDelay",
    readSes({
      eventType: "DeliveryDelay",
      deliveryDelay: {
        delayedRecipients: [
          { emailAddress: "ada@example.com", status: "4.4.1", diagnosticCode: "smtp; 421 4.4.1 No answer" },
        ],
      },
    }),
    ["delay 421 4.4.1 No answer (4.4.1)"],
  ],
  [
    "SES, a complaint that is none",
    readSes({
      eventType: "Complaint",
      complaint: {
        complaintFeedbackType: "not-spam",
        complainedRecipients: [{ emailAddress: "ada@example.com" }],
      },
    }),
    [],
  ],
])("%s: what it reports", (_, reports, told) => {
  const findings = reports.flatMap((report) => report.findings);
  expect(
    findings.map(({ kind, reply, status }) =>
      [kind, reply, status && `(${status})`].filter((one) => one).join(" "),
    ),
  ).toEqual(told);
});

test("an event without an address is about nobody, as the e-mail's one recipient would be taken for it", () => {
  const empty = { email: "", event: "bounce", reason: "550 5.1.1 no such user" };
  expect([
    ...readSendgrid([empty]),
    ...readPostmark({ RecordType: "Bounce", Type: "HardBounce", Email: "" }),
    ...readMailgun({ "event-data": { event: "failed", recipient: "" } }),
  ]).toEqual([]);
});

test("Postmark's own id, and records that are no bounces", () => {
  const event = { Type: "HardBounce", Email: "ada@example.com", MessageID: "pm-1" };
  expect(readPostmark({ ...event, RecordType: "Bounce" })).toMatchObject([{ remoteId: "pm-1" }]);
  expect(readPostmark({ ...event, RecordType: "Delivery" })).toEqual([]);
});

test("Resend's own id, our Message-ID, and a passing bounce without a reply", () => {
  const id = "0190a5f0-0000-7000-8000-000000000001";
  const bounce = { type: "Transient" };
  const data = { email_id: "re-1", message_id: `<${id}@shop.example>`, to: ["ada@example.com"], bounce };
  expect(readResend({ type: "email.bounced", data })).toMatchObject([
    { remoteId: "re-1", mentions: { emailIds: [id] }, findings: [{ kind: "bounce", status: "4.0.0" }] },
  ]);
  expect(readResend({ type: "email.delivery_delayed", data })).toMatchObject([
    { findings: [{ kind: "delay" }] },
  ]);
});

test("our own format's status, and what names the e-mail", () => {
  const [message, token] = ["0190a5f0-0000-7000-8000-000000000002", "a".repeat(26)];
  const event = { kind: "bounce", recipient: "ada@example.com", status: "5.1.1", remote_id: "r-1" };
  const named = { ...event, message_id: `<${message}@shop.example>`, ref: token };
  expect(readGeneric({ events: [named] })).toMatchObject([
    {
      remoteId: "r-1",
      mentions: { emailIds: [message], tokens: [token] },
      findings: [{ status: "5.1.1", reply: "5.1.1" }],
    },
  ]);
});

test("Mailgun's own id is the Message-ID, which may be ours", () => {
  const id = "0190a5f0-0000-7000-8000-000000000003@shop.example";
  expect(mailgun({ message: { headers: { "message-id": id } } })).toMatchObject([
    { remoteId: id, mentions: { emailIds: [id.slice(0, 36)] } },
  ]);
});

test("SendGrid's own id is the part before its filter's, and its response the reply", () => {
  expect(sendgrid("deferred")).toMatchObject([{ remoteId: "id", findings: [{ reply: "451 4.7.0 later" }] }]);
});
