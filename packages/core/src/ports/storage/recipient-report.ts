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
  kind: RecipientReportKind;
  /** A word of `inbound/rules/bounce-categories.ts`; `complaint` for one. */
  class: string;
  category: string;
  enhancedCode: string | undefined;
  reply: string;
  source: ReportSource;
  at: number;
}
