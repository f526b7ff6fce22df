/**
 * What a refusal is about: the mailbox (`hard`), the moment (`soft`), the sender's mail or reputation (`block`), the
 * sender's own settings at a relay (`setting`), or unknown (`undetermined`).
 */
export type BounceClass = "hard" | "soft" | "block" | "setting" | "undetermined";

/** Each category with its class, and when an address is suppressed for it (platform.md P7). */
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

/** Why mail was refused. */
export type BounceCategory = keyof typeof bounceCategories;
