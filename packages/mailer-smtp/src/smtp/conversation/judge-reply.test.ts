import { expect, test } from "vitest";
import type { SmtpReply } from "../connection/reply-reader.ts";
import {
  judgeContent,
  judgeData,
  judgeRecipient,
  judgeSender,
  refusesParameters,
  type Verdict,
} from "./judge-reply.ts";

const replyOf = (text: string): SmtpReply => ({
  code: Number(text.slice(0, 3)),
  text,
  lines: [text.slice(4)],
});

const senders: [reply: string, verdict: Verdict, ofAccount?: Verdict][] = [
  ["250 2.1.0 ok", "taken"],
  ["354 go on", "closing"],
  ["421 4.3.2 closing", "closing"],
  ["530 5.7.0 login first", "settings"],
  ["451 5.7.3 STARTTLS is required to send mail", "settings"],
  ["534 5.7.9 a stronger mechanism is required", "settings"],
  ["503 5.5.1 check your mail first", "settings"],
  ["535 5.7.8 log in", "settings"],
  ["538 5.7.11 encryption first", "settings"],
  // Courier 1.0.16.
  ["534 SIZE=Message too big.", "refused"],
  ["501 not an address", "refused"],
  ["555 5.5.4 unknown parameter", "refused"],
  ["554 5.6.7 no SMTPUTF8 for this recipient", "refused"],
  ["550 5.1.7 bad sender", "refused"],
  ["450 4.1.8 no such domain", "deferred"],
  ["552 5.3.4 too large", "refused"],
  ["452 4.3.4 too large for now", "deferred"],
  ["553 not yours", "refused", "deferred"],
  ["550 no", "unclear", "deferred"],
  ["551 no", "unclear", "deferred"],
  ["554 no service", "unclear", "deferred"],
  ["500 Not authorised", "unclear", "deferred"],
  ["500 No send as permission", "unclear", "deferred"],
  ["500 unverified address", "unclear", "deferred"],
  ["500 Sender address rejected", "unclear", "deferred"],
  ["500 5.5.1 what?", "unclear"],
  ["500 5.1.8 bad sender", "refused"],
  // What another server said is no code of this one's.
  ["451 mx.example said: 550 5.1.1 nobody", "unclear"],
  ["550 5.7.60 may not send as this sender", "unclear", "deferred"],
  // A temporary refusal stays one, whatever the kind of account.
  ["451 4.7.1 Sender denied", "unclear"],
  ["452 4.3.1 out of storage", "limited"],
  ["552 5.3.1 out of storage", "refused"],
  ["554 5.4.6 a loop", "unclear"],
  ["451 4.4.5 busy", "limited"],
  ["454 4.7.0 throttled", "limited"],
  ["451 4.7.1 Greylisting in action, please come back later", "deferred"],
  ["451 4.4.5 Graylisted: too many new senders", "deferred"],
  ["554 5.7.0 too many messages", "unclear", "deferred"],
  // Gmail's, of an account's limit for a day.
  ["550 5.4.5 Daily user sending quota exceeded.", "unclear", "deferred"],
  ["552 5.3.4 Message size exceeds fixed limit", "refused"],
];
test.each(senders)("to MAIL FROM, %j is %s", (text, verdict, ofAccount = verdict) => {
  const judge = (isAccount: boolean) => judgeSender(replyOf(text), { lacksLogin: false, isAccount });
  expect([judge(false), judge(true)]).toEqual([verdict, ofAccount]);
});

const recipients: [reply: string, verdict: Verdict, withoutLogin?: Verdict][] = [
  ["250 2.1.5 ok", "taken"],
  ["251 will forward", "taken"],
  ["354 go on", "closing"],
  ["421 4.3.2 closing", "closing"],
  ["530 5.7.0 login first", "settings"],
  ["550 5.1.1 nobody", "refused"],
  ["554 5.7.1 relay access denied", "refused", "deferred"],
  ["550 5.7.1 Authentication required", "refused", "deferred"],
  ["500 Authentication required", "refused", "deferred"],
  ["500 5.5.2 what?", "refused"],
  ["503 5.5.1 who are you", "refused", "deferred"],
  ["450 4.2.1 greylisted", "deferred"],
  ["450 4.7.1 Greylisted, rate limited", "deferred"],
  ["452 4.5.3 too many recipients", "overflow"],
  // Dovecot, OpenSMTPD.
  ["451 4.5.3 Too many recipients", "overflow"],
  // Courier 1.0.16, with a soft and a hard limit.
  ["431 Too many recipients.", "overflow"],
  ["531 Too many recipients.", "overflow"],
  ["550 5.5.3 too many recipients", "overflow"],
  ["552 5.5.3 Maximum limit of 50 recipients reached", "overflow"],
  ["450 Too many recipients", "overflow"],
  ["450 Too many recipient attempts", "overflow"],
  ["550 Too many recipients", "overflow"],
  // Postfix, for a rate.
  ["450 4.7.1 Error: too many recipients from 192.0.2.1", "limited"],
  ["552 Too many recipients", "overflow"],
  // A full mailbox, whatever the words.
  ["452 4.2.2 too many messages in it", "deferred"],
  ["452 quota exceeded", "deferred"],
  ["552 5.2.2 over quota: too many messages in it", "refused"],
  ["450 Mailbox is full: quota exceeded", "deferred"],
  ["552 mailbox quota exceeded", "refused"],
  ["451 4.7.0 Slow down", "limited"],
  ["450 4.7.0 Your allowance has been reached", "limited"],
  ["450 4.7.0 You exceeded your hourly quota", "limited"],
  ["554 no service", "refused", "deferred"],
  // Its code names the mailbox.
  ["554 5.1.1 nobody", "refused"],
  ["554 5.2.1 disabled", "refused"],
  ["500 relay denied", "refused", "deferred"],
  ["500 please log in", "refused", "deferred"],
  ["550 5.7.1 Client not logged in", "refused", "deferred"],
  // A reply about a mailbox is no limit of the server.
  ["450 4.2.1 the user receives mail too fast", "deferred"],
  ["450 4.1.1 too many tries at nobody", "deferred"],
];
test.each(recipients)("to RCPT TO, %j is %s", (text, verdict, withoutLogin = verdict) => {
  const judge = (lacksLogin: boolean) => judgeRecipient(replyOf(text), { lacksLogin, isAccount: false });
  expect([judge(false), judge(true)]).toEqual([verdict, withoutLogin]);
});

test.each<[string, Verdict]>([
  ["530 login first", "settings"],
  ["421 closing", "closing"],
  // The server has forgotten the recipients that it accepted a moment ago.
  ["503 5.5.1 RCPT first", "closing"],
  ["451 4.7.0 slow down", "limited"],
  ["451 4.3.0 later", "deferred"],
  ["554 5.6.0 not this", "refused"],
])("to DATA, %j is %s", (text, verdict) => {
  expect([judgeData(replyOf(text), false), judgeData(replyOf(text), true)]).toEqual([verdict, verdict]);
});

test.each<[string, Verdict]>([
  ["250 taken", "taken"],
  ["200 taken", "taken"],
  ["500 what?", "refused"],
  ["354 go on", "deferred"],
  ["523 Message length (10485766 bytes) exceeds administrative limit(10485760).", "refused"],
  ["421 4.3.2 closing", "deferred"],
  ["452 4.7.0 sending rate exceeded", "limited"],
  ["452 quota exceeded", "limited"],
  ["452 The mailbox of the user exceeds its quota", "deferred"],
  ["452 Your mailbox exceeded its sending limit", "limited"],
  ["554 5.7.1 too many links", "refused"],
])("to the content, %j is %s", (text, verdict) => {
  expect([judgeContent(replyOf(text), false), judgeContent(replyOf(text), true)]).toEqual([verdict, verdict]);
});

test.each([
  // Gmail says so to DATA, Microsoft 365 to the content.
  "550 5.4.5 Daily user sending quota exceeded. o65sm25351206pga.71 - gsmtp",
  "550-5.4.5 Daily SMTP relay sending limit exceeded for user. - gsmtp",
  "552 Message would take you over your relay quota of 500",
  "550 User has exceeded its 24-hour sending limit. Messages to 250 recipients out of 250 allowed have been sent.",
  "554 5.2.252 SendAsDenied; shop@shop.example not allowed to send as other@shop.example",
])("of an account, %j is deferred, whenever it is said", (text) => {
  const verdicts = [
    judgeRecipient(replyOf(text), { lacksLogin: false, isAccount: true }),
    judgeData(replyOf(text), true),
    judgeContent(replyOf(text), true),
  ];
  expect(verdicts).toEqual(Array(3).fill("deferred"));
  expect(judgeContent(replyOf(text), false)).toBe("refused");
  expect(judgeContent(replyOf("552 outgoing message size limit exceeded"), true)).toBe("refused");
  expect(judgeContent(replyOf("552 5.2.2 daily limit of this mailbox"), true)).toBe("refused");
  expect(judgeContent(replyOf("552 5.3.4 more bytes than the relay limit of 10 MB"), true)).toBe("refused");
});

test("an address in a reply is none of its words", () => {
  const lacksLogin = true;
  const toRecipient = (reply: string) => judgeRecipient(replyOf(reply), { lacksLogin, isAccount: false });
  expect(toRecipient("550 5.1.1 <authors@example.net>: user unknown")).toBe("refused");
  expect(toRecipient("550 no bob@relay.example here")).toBe("refused");
  expect(toRecipient("450 4.7.1 <info@first-rate.example>: greylisted")).toBe("deferred");
  expect(toRecipient("550 5.7.1 <authors@example.net>: relay access denied")).toBe("deferred");
  const toSender = (reply: string) => judgeSender(replyOf(reply), { lacksLogin, isAccount: false });
  expect(toSender("550 5.1.8 <author@example.org>: domain not found")).toBe("refused");
  expect(toSender("550 5.1.8 <starttls@example.org>: domain not found")).toBe("refused");
  expect(toSender("554 5.1.8 domain not found")).toBe("refused");
  expect(toSender("451 4.7.1 <news@first-rate.example>: later")).toBe("unclear");
  expect(judgeContent(replyOf("451 4.7.1 <info@first-rate.example>: later"), false)).toBe("deferred");
  expect(refusesParameters(replyOf("501 <dsn@example.net>: no such domain"))).toBe(false);
});

test("a reply that repeats a word of limits takes no time that anybody notices", () => {
  // The server may be a workspace's own. Ten thousand characters took minutes, and the thousand of a reply 0.2 s.
  expect(judgeContent(replyOf(`450 ${"exceed".repeat(1_700)}`), false)).toBe("deferred");
  expect(judgeContent(replyOf("450 exceeded your hourly allowance: at this rate, wait"), false)).toBe(
    "limited",
  );
});
