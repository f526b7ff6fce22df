import type { BounceRule } from "./bounce-rule.ts";
import {
  attachmentWords,
  full,
  greylisting,
  inactive,
  limitedMailbox,
  listed,
  noDomain,
  noName,
  passing,
  policyWords,
  spamWords,
  tooLarge,
  unauthenticated,
  unknownUser,
} from "./bounce-words.ts";

/** Codes of a mailbox or a domain. */
const ofAddress = /^5\.(?:1\.(?:[1236]|10)|2\.[12]|4\.4)$/;

const refusalWords =
  /access denied|refused|\bcontent\b|(?:authentication|tls|encryption) (?:is )?required|(?:white|allow) ?list|accept\w* (?:any )?(?:e-?)?mail from|command rejected|not accept delivery of/i;

type Words = Pick<RegExp, "test">;

/** Words that stand alone: the reply has none that agree with a code of an address. */
const alone = (words: Words, agreeing: readonly Words[]): Words => ({
  test: (text) => words.test(text) && !agreeing.some((one) => one.test(text)),
});

const besideAddress = (words: Words): Words => alone(words, [unknownUser, inactive, full, noDomain, noName]);

const anotherRefusal: Words = { test: (text) => policyWords.test(text) || refusalWords.test(text) };

/**
 * Rules for replies with an enhanced code of an address whose words tell of something else: servers give 5.1.1 for any
 * refusal at a recipient. The words count then, as they suppress less.
 */
export const mismatchedCodeRules: readonly BounceRule[] = [
  {
    category: "mailbox_full",
    enhanced: /^5\.1\.[16]$/,
    words: alone(full, [unknownUser]),
    example: "552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417",
  },
  {
    category: "inactive_mailbox",
    enhanced: /^5\.1\.[16]$/,
    words: alone(inactive, [unknownUser]),
    example: "550 5.1.1 <ada@example.com>: Recipient address rejected: this account has been disabled",
  },
  {
    category: "too_large",
    enhanced: ofAddress,
    words: besideAddress(tooLarge),
    example: "550 5.1.1 Message too large",
  },
  {
    category: "attachment",
    enhanced: ofAddress,
    words: besideAddress(attachmentWords),
    example: "550 5.1.1 Virus detected",
  },
  {
    category: "spam",
    enhanced: ofAddress,
    words: besideAddress(spamWords),
    example: "550 5.1.1 Message rejected as spam",
  },
  {
    category: "greylisted",
    enhanced: ofAddress,
    words: besideAddress(greylisting),
    example: "550 5.1.1 Delivery expired (last reply: greylisted)",
  },
  {
    category: "rate_limited",
    enhanced: ofAddress,
    words: besideAddress(limitedMailbox),
    example: "550 5.1.1 Too many recipients",
  },
  {
    category: "transient",
    enhanced: ofAddress,
    words: besideAddress(passing),
    example: "550 5.1.1 Temporarily unavailable",
  },
  {
    category: "authentication",
    enhanced: ofAddress,
    words: besideAddress(unauthenticated),
    example: "550 5.1.1 SPF check failed",
  },
  {
    category: "reputation",
    enhanced: ofAddress,
    words: besideAddress(listed),
    example: "550 5.1.1 Sorry, your IP address has been blocked",
  },
  {
    category: "policy",
    enhanced: ofAddress,
    words: besideAddress(anotherRefusal),
    example: "550 5.1.1 Rejected by local policy",
  },
];
