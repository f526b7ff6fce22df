/**
 * Cause of a refusal: the mailbox (`hard`), a temporary condition (`soft`), the sender's mail or reputation (`block`),
 * the sender's settings at a relay (`setting`), or unknown (`undetermined`).
 */
export type BounceClass = "hard" | "soft" | "block" | "setting" | "undetermined";

/** Categories with their class and the policy for suppressing an address (platform.md P7). */
export const bounceCategories = {
  invalid_recipient: { class: "hard", suppress: "at_once" },
  bad_domain: { class: "hard", suppress: "at_once" },
  inactive_mailbox: { class: "hard", suppress: "second" },
  mailbox_full: { class: "soft", suppress: "counted" },
  greylisted: { class: "soft", suppress: "never" },
  rate_limited: { class: "soft", suppress: "never" },
  transient: { class: "soft", suppress: "never" },
  dns: { class: "soft", suppress: "never" },
  network: { class: "soft", suppress: "never" },
  reputation: { class: "block", suppress: "never" },
  authentication: { class: "block", suppress: "never" },
  policy: { class: "block", suppress: "never" },
  spam: { class: "block", suppress: "never" },
  content: { class: "block", suppress: "never" },
  attachment: { class: "block", suppress: "never" },
  too_large: { class: "block", suppress: "never" },
  relay_denied: { class: "setting", suppress: "never" },
  not_authorised: { class: "setting", suppress: "never" },
  auth: { class: "setting", suppress: "never" },
  other: { class: "undetermined", suppress: "never" },
} as const satisfies Record<
  string,
  { class: BounceClass; suppress: "at_once" | "second" | "counted" | "never" }
>;

/** Reason of a refusal. */
export type BounceCategory = keyof typeof bounceCategories;
