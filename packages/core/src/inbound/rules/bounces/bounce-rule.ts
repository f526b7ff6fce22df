import type { BounceCategory } from "./bounce-categories.ts";

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
