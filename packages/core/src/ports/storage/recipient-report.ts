/** What can be reported of a recipient; of each kind once. A delay is the whole e-mail's. */
export type RecipientReportKind = "bounce" | "complaint" | "delay";

/** Who said so: a server that we spoke to, a message that came back, or a relay by its webhook. */
export type ReportSource = "smtp" | "dsn" | "arf" | "provider";

/** Something that is known of a recipient beyond its state. */
export interface RecipientReport {
  /** The storage's own key of the e-mail. */
  row: number;
  /** The recipient's place among the e-mail's, from 0. */
  position: number;
  /** What is reported. */
  kind: RecipientReportKind;
  /** A word of `inbound/rules/bounce-categories.ts`; `complaint` for one. */
  class: string;
  /** Why, as a word of `inbound/rules/bounce-categories.ts`. */
  category: string;
  /** Such as `5.1.1` (RFC 3463); `undefined` where none was given. */
  enhancedCode: string | undefined;
  /** What was said: a hostile string, one line. */
  reply: string;
  /** Who said so. */
  source: ReportSource;
  /** When it was said, ms since the epoch. */
  at: number;
}
