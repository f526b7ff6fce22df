import type { BounceRule } from "./bounce-rule.ts";
import {
  attachmentWords,
  greylisting,
  limiting,
  listed,
  noRoute,
  spamWords,
  unauthenticated,
  unknownUser,
} from "./bounce-words.ts";

/** Rules by the enhanced code (RFC 3463), and the words beside it. */
export const enhancedCodeRules: readonly BounceRule[] = [
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
    words: /recipient address(?:es)? rejected ?: access denied/i,
    example:
      "550 5.4.1 Recipient address rejected: Access denied. [AM0EUR02FT058.eop-EUR02.prod.protection.outlook.com]",
  },
  // Cisco's (IronPort's), then Yandex's.
  {
    category: "invalid_recipient",
    enhanced: /^5\.1\.0$/,
    words: /^550 #?5\.1\.0 address rejected/i,
    example: "550 #5.1.0 Address rejected.",
  },
  {
    category: "invalid_recipient",
    enhanced: /^5\.7\.1$/,
    words: /^550 5\.7\.1 no such user/i,
    example: "550 5.7.1 No such user!",
  },
  // Postfix's, of an answer that it could not read: nothing is known of the domain.
  {
    category: "dns",
    enhanced: /^5\.4\.[34]$/,
    words: /\bname server reply\b/i,
    example:
      "5.4.4 Host or domain name not found. Name service error for name=example.com type=MX: Malformed or unexpected name server reply",
  },
  {
    category: "bad_domain",
    enhanced: /^5\.4\.4$/,
    words: noRoute,
    example:
      "5.4.4 Host or domain name not found. Name service error for name=nowhere.example type=A: Host not found",
  },
  // A time to deliver that has passed.
  { category: "transient", enhanced: /^5\.4\.7$/, example: "550 5.4.7 Too old" },
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
];
