import type { BounceRule } from "./bounce-rule.ts";
import {
  attachmentWords,
  expired,
  full,
  greylisting,
  inactive,
  limitedMailbox,
  limiting,
  listed,
  loginWanted,
  messagePart,
  noConnection,
  noDomain,
  noHost,
  noRoute,
  notAuthorised,
  policyWords,
  relayDenied,
  senderRefused,
  spamWords,
  spfRefused,
  tooLarge,
  unauthenticated,
  unknownUser,
} from "./bounce-words.ts";
import { enhancedCodeRules } from "./enhanced-code-rules.ts";
import { mismatchedCodeRules } from "./mismatched-code-rules.ts";

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
  // Exchange's recipients that take mail of known senders only.
  {
    category: "policy",
    enhanced: /^5\.7\./,
    words: /resolver\.rst\.(?:\w*auth|restricted)/i,
    example: "550 5.7.1 RESOLVER.RST.AuthRequired; authentication required",
  },
  {
    category: "relay_denied",
    code: /^5/,
    words: relayDenied,
    example: "554 5.7.1 <ada@example.com>: Relay access denied",
  },
  // The sender's domain does not allow the server that sent, whose operator is not the one who refuses.
  {
    category: "authentication",
    code: /^55/,
    words: spfRefused,
    example: "550 5.7.1 SPF: 192.0.2.1 is not allowed to send mail from shop.example",
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
  // Limits and lists of blocked servers, which some report by the codes of addresses.
  {
    category: "rate_limited",
    code: /^5/,
    words: limitedMailbox,
    example:
      "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages",
  },
  {
    category: "reputation",
    enhanced: /^5\.1\.[18]$/,
    words: /spamhaus|blocked using|block ?list|black ?list|\b(?:dnsbl|rbl)\b/i,
    example: "550 5.1.1 Blocked using zen.spamhaus.org",
  },
  // The sender's address: RFC 3463 has 5.1.7 and 5.1.8 for it, Courier 517.
  {
    category: "authentication",
    enhanced: /^5\.1\.[78]$/,
    example: "550 5.1.8 <shop@example.com>: Sender address rejected: Domain not found",
  },
  {
    category: "authentication",
    code: /^517$/,
    example: "517 Domain does not exist: shop.example.",
  },
  {
    category: "authentication",
    enhanced: /^(?!5\.7\.)/,
    code: /^5/,
    words: senderRefused,
    example:
      "550-Verification failed for <shop@example.com> 550-Response: 550 5.1.1 User unknown 550 Sender verify failed",
  },
  ...mismatchedCodeRules,
  ...enhancedCodeRules,
  { category: "auth", code: /^53[0-8]$/, example: "532 Password transition needed" },
  // Rules by the code, for replies without a specific enhanced one.
  {
    category: "greylisted",
    code: /^4/,
    words: greylisting,
    example: "451 Greylisting in action, please come back later",
  },
  {
    category: "too_large",
    code: /^552$/,
    words: tooLarge,
    example:
      "552 Requested mail action aborted: exceeded storage allocation Message size exceeds maximum permitted",
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
  { category: "bad_domain", code: /^556$/, example: "556 Domain does not accept mail" },
  // Others, such as AT&T, reply 521 to blocked networks.
  {
    category: "bad_domain",
    code: /^521$/,
    words: /n[o']t accept (?:any )?(?:e-?)?mail/i,
    example: "521 This host does not accept mail",
  },
  {
    category: "too_large",
    code: /^552$/,
    stage: "content",
    example: "552 Message size exceeds maximum permitted",
  },
  // Exchange's, of mail that it gave up, by codes of either class.
  {
    category: "transient",
    code: /^5/,
    words: expired,
    example: "550 5.4.316 Message expired, connection refused(Socket error code 10061)",
  },
  // Rules by the words: those about the message first, as it may have words of mailboxes that they quote.
  {
    category: "reputation",
    code: /^5/,
    words: listed,
    example: "554 Your access to this mail system has been rejected due to poor reputation of a domain",
  },
  {
    category: "authentication",
    code: /^5/,
    words: unauthenticated,
    example: "550 SPF check failed for your domain",
  },
  { category: "spam", code: /^5/, words: spamWords, example: "554 Message looks like spam" },
  {
    category: "attachment",
    code: /^5/,
    words: attachmentWords,
    example: "554 Denied: executable attachment",
  },
  { category: "too_large", code: /^5/, words: tooLarge, example: "554 Message too large" },
  { category: "mailbox_full", code: /^5/, words: full, example: "550 Mailbox quota exceeded" },
  // OpenSMTPD's, which says the same of a mailbox that does not exist and of a domain that it does not relay to.
  {
    category: "other",
    code: /^550$/,
    words: /^(?:550 )?invalid recipient: <[^<>]*>\.?$/i,
    example: "550 Invalid recipient: <ada@example.com>",
  },
  // Whose login it is that is unknown, the sender's or the recipient's, is not said.
  {
    category: "other",
    code: /^5/,
    words: /\bauth(?:entication|orization)? (?:database|backend|server)/i,
    example: "550 no such user in authentication database",
  },
  // What is not found is a part of the message.
  {
    category: "content",
    code: /^55[0-4]$/,
    words: messagePart,
    example: "550 Invalid address in header To:",
  },
  {
    category: "bad_domain",
    code: /^5/,
    words: noDomain,
    stage: "recipient",
    example: "550 No such domain.",
  },
  {
    category: "inactive_mailbox",
    code: /^55[0134]$/,
    stage: "recipient",
    words: inactive,
    example: "550 This mailbox is disabled",
  },
  {
    category: "invalid_recipient",
    code: /^5(?:00|5[0-4])$/,
    stage: "recipient",
    words: unknownUser,
    example: "550 No such user here",
  },
  {
    category: "policy",
    code: /^5/,
    words: policyWords,
    example: "550 Rejected by local policy",
  },
  { category: "dns", code: /^5/, words: noHost, stage: "recipient", example: "550 Host unknown" },
  { category: "content", code: /^554$/, stage: "content", example: "554 Transaction failed" },
  // Exim's, of mail that it gave up, which has the last server's reply before it, if there was one.
  {
    category: "transient",
    code: /^(?:5|$)/,
    words: /^(?:all hosts .* have been )?(?:failing for a long time.*|retry timeout exceeded)$/i,
    example: "retry timeout exceeded",
  },
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
