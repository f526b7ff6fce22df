import { describe, expect, test } from "vitest";
import { type BounceCategory, bounceCategories } from "./bounce-categories.ts";
import { bounceRules } from "./bounce-rules.ts";
import { classifyRefusal, codeOf } from "./classify-refusal.ts";

const at = (reply: string, stage: "recipient" | "content" = "recipient") =>
  classifyRefusal({ code: codeOf(reply), reply, stage });

describe("the example of each rule", () => {
  test.each(bounceRules.map((rule) => [rule.category, rule.example, rule] as const))(
    "%s: %s",
    (category, example, rule) => {
      expect(at(example, rule.stage)).toMatchObject({ category, class: bounceCategories[category].class });
    },
  );
});

/** Real replies of servers, with their expected categories. */
const heard: Record<BounceCategory, string[]> = {
  invalid_recipient: [
    "550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address",
    "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table",
    "550 No such user here",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup",
    "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)",
    "554 delivery error: dd This user doesn't have an example.com account (ada@example.com) [-5]",
    "550 Requested action not taken: mailbox unavailable invalid recipient",
    "553 sorry, no mailbox here by that name. (#5.1.1)",
    "511 5.1.1 unknown address or alias",
    "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).",
    "550 unknown user",
    "550 5.1.6 Recipient no longer at this address",
    "550 5.1.1 User unknown (SPF pass)",
    "550 User <jane> unknown",
    "550 5.1.1 <ada@example.com>: Recipient address rejected: undeliverable address: host mx.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)",
    "550 5.4.1 All recipient addresses rejected : Access denied. AS(201806271)",
    "552 1 Requested mail action aborted, mailbox not found",
    "550 The recipient may contain a non-existent account, please check the recipient address.",
    "550 5.7.1 No such user! 1588165329-jwwPVY2GJb",
    "550 #5.1.0 Address rejected.",
    "550 <ada@example.com> is not a known user on this system",
    "550 Unrouteable address",
    "550 Recipient callout failed: user unknown",
    "550-Callout verification failed: 550 550 5.1.1 <ada@example.com>: User unknown",
    "550 ada@example.com does not exist here",
    "550 User ada (ada@example.com) not listed in Domino Directory",
    '550 unknown local-part "jane" in domain "example.com"',
  ],
  bad_domain: [
    "556 5.1.10 Domain has null MX",
    "5.4.4 unable to look up host nowhere.example: Name service error: Host not found",
    "550 5.1.2 Bad destination host",
    "521 This host does not accept mail",
    // Postfix with its own look-ups and the system's, Exim, Courier, OpenSMTPD.
    "5.1.0 Domain nowhere.example does not accept mail (nullMX)",
    "5.4.4 unable to look up host nowhere.example: Name or service not known",
    "550 an MX or SRV record indicated no SMTP service",
    "550 No such domain.",
    "550 Domain does not exist",
  ],
  inactive_mailbox: [
    "550 5.2.1 The email account that you tried to reach is inactive.",
    "550 Account ada@example.com has been disabled",
    "550 This account has been closed",
    "551 <ada@example.com> is a deactivated mailbox",
  ],
  mailbox_full: [
    "452-4.2.2 The recipient's inbox is out of storage space. Please direct the 452-4.2.2 recipient",
    "552 5.2.2 Mailbox full",
    "552 Quota exceeded",
    "550 5.2.2 user is over quota",
    "550 Mailbox is full",
  ],
  greylisted: [
    "450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted, see http://postgrey.example",
    "451 Greylisted, please try again in 300 seconds",
  ],
  rate_limited: [
    "550 Domain shop.example has exceeded the max emails per hour (125/100 (125%)) allowed. Message discarded.",
    "421 4.7.28 Our system has detected an unusual rate of unsolicited mail",
    "421 RP-001 The mail server IP connecting has exceeded the rate limit allowed",
    "450 4.7.1 Error: too much mail from 192.0.2.1",
    "421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints",
    // Gmail's, of a mailbox in use.
    "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. For more information, please visit https://support.google.com/mail/?p=ReceivingRatePerm",
    "550 Too many invalid recipients",
    "550-5.4.5 Daily sending quota exceeded. 550 5.4.5 https://support.google.com/a/answer/166852",
    "550 5.4.5 Daily user sending limit exceeded.",
  ],
  transient: [
    "451 4.3.2 Please try again later",
    "450 mailbox busy",
    "450 4.1.1 <ada@example.com>: Recipient address rejected: unverified address",
  ],
  dns: ["451 4.4.3 Temporary DNS failure: no MX found, dns lookup timed out"],
  network: [
    "4.4.1 connect to mail.example.com[192.0.2.1]:25: Connection refused",
    "4.4.2 lost connection while receiving the initial server greeting",
  ],
  reputation: [
    "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your provider since part of their network is on our block list (S3150).",
    "550 5.1.1 blocked using zen.spamhaus.org",
    "550 5.1.8 blocked using zen.spamhaus.org",
    "554 mail refused: your IP is listed at bl.example",
    "521 192.0.2.1 blocked by sbc:blacklist.mailrelay.att.net. DNSRBL: Blocked for abuse. See http://att.net/blocks",
    "550 5.1.1 rejected by DNSBL",
    "554 Service unavailable; Client host [192.0.2.1] blocked using bl.spamcop.net as a source of spam",
  ],
  authentication: [
    "550 Callback to <shop@example.com> failed: user unknown",
    "550 Could not verify the sender: user unknown",
    "550 Return-Path address does not exist",
    "550 Envelope sender mailbox unavailable, no such user",
    "550 Invalid address in From header",
    "550 Reply-To address does not exist",
    "550 5.1.2 <shop.example>: Helo command rejected: Host not found",
    // Exim's, Postfix's, Sendmail's and Courier's checks of the sender: what they say of its mailbox or domain is not
    // about the recipient's.
    "550-Verification failed for <shop@example.org> 550-Called: 192.0.2.1 550-Sent: RCPT TO:<shop@example.org> 550-Response: 550 5.1.1 <shop@example.org>: Recipient address rejected: User unknown 550 Sender verify failed",
    "550-Verification failed for <shop@example.org> 550-Unrouteable address 550 Sender verify failed",
    "550 5.1.7 <shop@example.org>: Sender address rejected: undeliverable address: host mx.example.org[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)",
    "550 5.1.0 <shop@example.org>: Sender address rejected: User unknown in virtual mailbox table",
    "550 5.1.1 <shop@example.org>: Sender address rejected: User unknown",
    "550 5.1.8 <shop@example.org>: Sender address rejected: Domain not found",
    "553 5.1.8 <shop@example.org>... Domain of sender address shop@example.org does not exist",
    "550 Sender's domain does not exist",
    "550 Envelope sender domain shop.example does not exist",
    "550 The sender's domain name does not exist",
    "550 MAIL FROM domain does not exist",
    "550 Sender address <shop@shop.example> does not exist",
    "550 Sender mailbox does not exist",
    // GMX's and web.de's, of a sender's domain.
    "550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record",
    "550 The sender address <shop@shop.example> is not a valid address",
    "550 PTR record for 192.0.2.1 does not exist",
    "550 Host name in HELO does not exist",
    "517 Domain does not exist: example.org.",
    "550-5.7.26 This mail has been blocked because the sender is unauthenticated. 550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.",
    "550 5.7.515 Access denied, sending domain example.com doesn't meet the required authentication level",
    "550 5.7.509 Access denied, sending domain does not pass DMARC verification",
    "550 DMARC policy failure",
    // Exim's with its SPF condition, and two policy servers of Postfix.
    "550-[SPF] 192.0.2.1 is not allowed to send mail from shop.example.",
    "550 192.0.2.1 is not permitted to send mail from shop.example",
    "550 5.7.23 <ada@example.com>: Recipient address rejected: Message rejected due to: SPF fail - not authorized to send. Please see http://www.openspf.net/Why?s=mfrom",
    "550 5.7.1 <ada@example.com>: Recipient address rejected: Please see http://www.openspf.org/Why: sender is not authorized to use shop.example",
  ],
  policy: [
    "550 5.7.1 Message rejected due to local policy",
    "554 5.7.1 <ada@example.com>: Recipient address rejected: User unknown to policy",
    "550 Administrative prohibition",
    "554 Email rejected due to security policies - MCSpamSignature.sa.5.6",
    // Exchange's, of a list that takes mail of its own people only.
    "550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send to the recipient",
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed",
  ],
  spam: ["550 5.7.1 Message identified as SPAM", "554 Phishing: it asks for credentials"],
  content: ["554 5.6.0 Message contains bare LF"],
  attachment: [
    "552 5.7.0 This message was blocked because its content presents a potential 552 5.7.0 security issue: file type not allowed",
    "554 virus detected",
  ],
  too_large: [
    "552 5.3.4 Message size exceeds fixed limit",
    "552 5.3.4 (server's limit 500000) the message has 9399 bytes",
    "552 5.2.3 message is larger than the maximum",
    "550 message too large",
    "534 SIZE=Message too big.",
    "534 Message header size exceeds policy limit.",
    "523 Message length (10485766 bytes) exceeds administrative limit(10485760).",
  ],
  relay_denied: [
    "554 5.7.1 <ada@example.com>: Relay access denied",
    "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain",
    "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
    "550 relay not permitted",
  ],
  not_authorised: [
    "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
    "554 Message rejected: Email address is not verified.",
    "553 5.7.1 <hello@shop.example>: Sender address rejected: not owned by user shop",
    "550 The from address does not match a verified Sender Identity. sender is not verified",
    "550 Your account has been suspended. Please contact support",
    "550 Domain shop.example is not allowed to send: please add SPF and DKIM records",
    "550 5.2.1 Sender's account is temporarily locked",
  ],
  auth: [
    "530 5.7.0 Must issue a STARTTLS command first",
    "535 5.7.8 Error: authentication failed",
    "550 Authentication required",
    "534 5.7.9 Application-specific password required",
  ],
  other: [
    "550 MX record for shop.example does not exist",
    "550 Host mail.shop.example does not exist in DNS",
    "554 Link to a page that does not exist",
    "550 Requested action not taken: mailbox unavailable",
    "550 rejected",
    "500 what?",
    "550 5.0.0 no",
    "521 5.5.1 Protocol error",
    // A domain that exists, and takes mail from others.
    "550 This domain does not accept mail without TLS",
    "550 Domain example.com does not accept mails from your network",
  ],
};

describe("real replies of servers", () => {
  test.each(
    Object.entries(heard).flatMap(([category, replies]) =>
      replies.map((reply) => [category, reply] as const),
    ),
  )("%s: %s", (category, reply) => {
    expect(at(reply).category).toBe(category);
  });
});

test("a bare 550 through a relay is undetermined: it may concern this service", () => {
  expect(at("550 Denied")).toEqual({ class: "undetermined", category: "other", enhancedCode: undefined });
});

test("554 to the content concerns the content, and to a recipient is undetermined", () => {
  expect(at("554 Transaction failed", "content").category).toBe("content");
  expect(at("554 Transaction failed").category).toBe("other");
});

test("an address or a version in the text is no enhanced code", () => {
  expect(at("550 Denied for 5.1.1.20").enhancedCode).toBeUndefined();
  expect(at("550 Denied for 192.5.1.1").enhancedCode).toBeUndefined();
  expect(at("550 (#5.1.1) no").enhancedCode).toBe("5.1.1");
  // The server's own code has precedence over one of the other class.
  expect(at("450 see 5.1.1").enhancedCode).toBeUndefined();
});

test("a number within the text is no reply code", () => {
  expect(["421", " 550-No", "550 messages of 552", "after 550 messages", "5500"].map(codeOf)).toEqual([
    421,
    550,
    550,
    undefined,
    undefined,
  ]);
});

test("a report's status is used if the server's reply has no code", () => {
  const by = (status: string | undefined, reply: string) =>
    classifyRefusal({ status, reply, stage: "recipient" });
  expect(by("5.1.1", "no")).toMatchObject({ category: "invalid_recipient", enhancedCode: "5.1.1" });
  // Exim reports 5.0.0 for every failure, even if it only gave up.
  expect(by("5.0.0", "450 4.2.0 Greylisted: retry timeout exceeded")).toMatchObject({
    category: "greylisted",
  });
  expect(by("5.0.0", "550 No such user here")).toMatchObject({
    category: "invalid_recipient",
    enhancedCode: undefined,
  });
  expect(by("4.4.1", "connect to mail.example.com: Connection timed out")).toMatchObject({ class: "soft" });
  expect(by("5.0.0", "user unknown")).toMatchObject({ category: "invalid_recipient" });
  // Exim's delays have no reason, OpenSMTPD's no code.
  expect(by("4.0.0", "4.0.0")).toMatchObject({ class: "soft", category: "transient" });
  expect(by("4.0.0", "Temporary failure in MX lookup")).toMatchObject({ class: "soft", category: "dns" });
  expect(by("nonsense", "")).toMatchObject({ class: "undetermined" });
  // A code in the midst of the text is quoted.
  expect(by("4.4.7", "Delivery expired, the last reply was 5.1.1")).toMatchObject({ category: "network" });
  expect(by("5.4.7", "Gave up: 5.1.1 was said once")).toMatchObject({ enhancedCode: "5.4.7" });
  expect(by("5.0.0", "550 Rejected: 5.7.1")).toMatchObject({ enhancedCode: "5.7.1" });
});

test.each([
  ["5.1.1", "550 192.0.2.1 is listed at bl.example", "reputation"],
  ["5.1.1", "550 SPF check failed for your domain", "authentication"],
  ["5.1.1", "550 Denied", "other"],
  ["5.1.6", "551 Denied", "other"],
  ["5.1.3", "553 Denied", "other"],
  ["5.2.2", "552 Denied", "other"],
  ["5.1.1", "550 No such user here", "invalid_recipient"],
  ["5.2.2", "552 Quota exceeded", "mailbox_full"],
  ["5.1.1", "554 Denied", "invalid_recipient"],
])("a report's %s for %j, which Sendmail (8.17) makes of a bare code, is %s", (status, reply, category) => {
  expect(classifyRefusal({ status, reply, stage: "recipient" }).category).toBe(category);
});

test("an operator's rule takes precedence", () => {
  const own = [
    {
      category: "policy",
      code: /^550$/,
      words: /house rules/i,
      example: "550 user unknown by house rules",
    },
  ] as const;
  const refusal = { code: 550, reply: "user unknown by house rules", stage: "recipient" } as const;
  expect(classifyRefusal(refusal, own).category).toBe("policy");
});

test("only the beginning of a long hostile reply is examined", () => {
  for (const piece of ["user ", "5.1.", "exceeded the ", "a", "is "])
    expect(at(`550 ${piece.repeat(50_000)} No such user`).category).not.toBe("invalid_recipient");
});
