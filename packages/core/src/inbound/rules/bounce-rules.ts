import type { BounceCategory } from "./bounce-categories.ts";
import {
  attachmentWords,
  full,
  greylisting,
  inactive,
  limiting,
  listed,
  loginWanted,
  noConnection,
  noRoute,
  notAuthorised,
  relayDenied,
  spamWords,
  unauthenticated,
  unknownUser,
} from "./bounce-words.ts";

/** A rule for a category. All given conditions must match; the first matching rule decides. */
export interface BounceRule {
  category: BounceCategory;
  /** The enhanced status code (RFC 3463), such as `5.1.1`. A rule without one also matches replies that have one. */
  enhanced?: RegExp;
  /** The reply code, such as `550`. */
  code?: RegExp;
  /** Words in the reply, in any case. */
  words?: Pick<RegExp, "test">;
  /** Stage of the refusal: at a recipient, or at the content. */
  stage?: "recipient" | "content";
  /** A reply that the rule matches. */
  example: string;
}

/**
 * Rules for the meaning of replies, by the enhanced code first, then the code, then the words (platform.md P7). The
 * example of each rule is tested. Most 5xx replies of a relay concern the sender rather than the mailbox, so a reply
 * suppresses an address only if its meaning is certain.
 */
export const bounceRules: readonly BounceRule[] = [
  // Courier's codes, which mean other things elsewhere.
  {
    category: "too_large",
    code: /^5(?:23|34)$/,
    words: /message too (?:big|large)|message (?:header )?(?:size|length)/i,
    example: "534 SIZE=Message too big.",
  },
  // Faults of the sender's own settings, whatever else the reply says.
  { category: "auth", code: /^53[0458]$/, example: "530 5.7.0 Authentication required" },
  {
    category: "not_authorised",
    enhanced: /^5\.7\.60$/,
    example: "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
  },
  {
    category: "relay_denied",
    code: /^5/,
    words: relayDenied,
    example: "554 5.7.1 <ada@example.com>: Relay access denied",
  },
  {
    category: "not_authorised",
    code: /^5/,
    words: notAuthorised,
    example:
      "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1",
  },
  {
    category: "auth",
    enhanced: /^5\.7\.|^$/,
    code: /^5/,
    words: loginWanted,
    example: "550 5.7.1 Authentication required",
  },
  // Rules by the enhanced code.
  {
    category: "invalid_recipient",
    enhanced: /^5\.1\.10$/,
    words: /resolver|recipient ?not ?found/i,
    example: "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
  },
  {
    category: "bad_domain",
    enhanced: /^5\.1\.(?:2|10)$/,
    example: "556 5.1.10 Recipient address has null MX",
  },
  {
    category: "reputation",
    enhanced: /^5\.1\.[18]$/,
    words: /spamhaus|blocked using|block ?list|black ?list/i,
    example: "550 5.1.1 Blocked using zen.spamhaus.org",
  },
  {
    category: "invalid_recipient",
    enhanced: /^5\.1\.[136]$/,
    example: "550-5.1.1 The email account that you tried to reach does not exist.",
  },
  {
    category: "mailbox_full",
    enhanced: /^[45]\.2\.2$/,
    example: "452 4.2.2 The recipient's inbox is out of storage space",
  },
  {
    category: "invalid_recipient",
    enhanced: /^5\.2\.1$/,
    words: unknownUser,
    example: "550 5.2.1 No such user here",
  },
  {
    category: "inactive_mailbox",
    enhanced: /^5\.2\.1$/,
    example: "550 5.2.1 The email account that you tried to reach is disabled.",
  },
  {
    category: "too_large",
    enhanced: /^5\.(?:3\.4|2\.3)$/,
    example: "552 5.3.4 Message size exceeds fixed limit",
  },
  {
    category: "invalid_recipient",
    enhanced: /^5\.4\.1$/,
    words: /recipient address rejected: access denied/i,
    example:
      "550 5.4.1 Recipient address rejected: Access denied. [AM0EUR02FT058.eop-EUR02.prod.protection.outlook.com]",
  },
  {
    category: "bad_domain",
    enhanced: /^5\.4\.4$/,
    words: noRoute,
    example:
      "5.4.4 Host or domain name not found. Name service error for name=nowhere.example type=A: Host not found",
  },
  {
    category: "invalid_recipient",
    enhanced: /^5\.5\.0$/,
    words: /requested action not taken: mailbox unavailable/i,
    example: "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).",
  },
  {
    category: "attachment",
    enhanced: /^5\.7\./,
    words: attachmentWords,
    example:
      "552 5.7.0 This message was blocked because its content presents a potential security issue: attachment",
  },
  {
    category: "authentication",
    enhanced: /^5\.7\.(?:2\d|509|515)$/,
    example: "550 5.7.26 This mail has been blocked because the sender is unauthenticated.",
  },
  {
    category: "reputation",
    enhanced: /^5\.7\./,
    words: listed,
    example: "550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus",
  },
  {
    category: "spam",
    enhanced: /^5\.7\./,
    words: spamWords,
    example: "550 5.7.1 Our system has detected that this message is likely unsolicited mail",
  },
  {
    category: "authentication",
    enhanced: /^5\.7\./,
    words: unauthenticated,
    example: "550 5.7.1 Email rejected per DMARC policy for example.com",
  },
  { category: "policy", enhanced: /^5\.7\./, example: "550 5.7.1 Message rejected" },
  {
    category: "attachment",
    enhanced: /^5\.6\./,
    words: attachmentWords,
    example: "554 5.6.0 Virus found in the attachment",
  },
  { category: "content", enhanced: /^5\.6\./, example: "554 5.6.0 Message with invalid header rejected" },
  {
    category: "greylisted",
    enhanced: /^4\./,
    words: greylisting,
    example: "450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted",
  },
  {
    category: "rate_limited",
    enhanced: /^4\.(?:[237]|4\.5)/,
    words: limiting,
    example: "421 4.7.28 Our system has detected an unusual rate of mail",
  },
  {
    category: "dns",
    enhanced: /^4\.(?:4\.[34]|1\.8)$/,
    words: noRoute,
    example:
      "4.4.3 Host or domain name not found. Name service error for name=example.com type=MX: Host not found, try again",
  },
  {
    category: "network",
    enhanced: /^4\.4\./,
    example: "4.4.1 connect to mail.example.com[192.0.2.1]:25: Connection timed out",
  },
  { category: "transient", enhanced: /^4\./, example: "451 4.3.0 Temporary server error" },
  // Rules by the code, for replies without a specific enhanced one.
  {
    category: "greylisted",
    code: /^4/,
    words: greylisting,
    example: "451 Greylisting in action, please come back later",
  },
  {
    category: "mailbox_full",
    code: /^(?:[45]52|422)$/,
    words: full,
    example: "552 Requested mail action aborted: exceeded storage allocation: mailbox is full",
  },
  {
    category: "rate_limited",
    code: /^4/,
    words: limiting,
    example: "450 Too many messages from your address",
  },
  {
    category: "dns",
    code: /^4/,
    words: noRoute,
    example: "451 no MX record for the domain could be looked up",
  },
  { category: "transient", code: /^4/, example: "451 Requested action aborted: local error in processing" },
  { category: "bad_domain", code: /^5(?:21|56)$/, example: "556 Domain does not accept mail" },
  {
    category: "too_large",
    code: /^552$/,
    stage: "content",
    example: "552 Message size exceeds maximum permitted",
  },
  // Rules by the words.
  { category: "mailbox_full", code: /^5/, words: full, example: "550 Mailbox quota exceeded" },
  {
    category: "reputation",
    code: /^5/,
    words: listed,
    example: "554 Your access to this mail system has been rejected due to poor reputation of a domain",
  },
  {
    category: "invalid_recipient",
    code: /^55[0134]$/,
    stage: "recipient",
    words: unknownUser,
    example: "550 No such user here",
  },
  {
    category: "inactive_mailbox",
    code: /^55[0134]$/,
    stage: "recipient",
    words: inactive,
    example: "550 This mailbox is disabled",
  },
  {
    category: "attachment",
    code: /^5/,
    words: attachmentWords,
    example: "554 Denied: executable attachment",
  },
  {
    category: "authentication",
    code: /^5/,
    words: unauthenticated,
    example: "550 SPF check failed for your domain",
  },
  { category: "spam", code: /^5/, words: spamWords, example: "554 Message looks like spam" },
  {
    category: "too_large",
    code: /^5/,
    words: /(?:message|mail) (?:size|is)? ?(?:exceeds|too (?:big|large))/i,
    example: "554 Message too large",
  },
  {
    category: "policy",
    code: /^5/,
    words: /policy|blocked|prohibited|administrative/i,
    example: "550 Rejected by local policy",
  },
  { category: "content", code: /^554$/, stage: "content", example: "554 Transaction failed" },
  // Rules without any code: failures described in words, before any server replied.
  {
    category: "dns",
    enhanced: /^$/,
    code: /^$/,
    words: noRoute,
    example: "host not found: mail.example.com",
  },
  {
    category: "network",
    enhanced: /^$/,
    code: /^$/,
    words: noConnection,
    example: "the connection timed out",
  },
];
