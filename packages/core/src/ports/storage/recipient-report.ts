/** Kind of report about a recipient, each stored once. A delay concerns the whole e-mail. */
export type RecipientReportKind = "bounce" | "complaint" | "delay";

/** Source of a report: a server's reply, a message (of a bounce or a complaint), or a relay's webhook. */
export type ReportSource = "smtp" | "dsn" | "provider";

/** A report about a recipient, beyond its state. */
export interface RecipientReport {
  /** The storage's own key of the e-mail. */
  row: number;
  /** The recipient's position in the e-mail, from 0. */
  position: number;
  /** Kind of the report. */
  kind: RecipientReportKind;
  /** Class of the bounce, as in `inbound/rules/bounce-categories.ts`; `complaint` for a complaint. */
  class: string;
  /** Category of the bounce, as in `inbound/rules/bounce-categories.ts`. */
  category: string;
  /** Enhanced status code, such as `5.1.1` (RFC 3463); `undefined` if none was given. */
  enhancedCode: string | undefined;
  /** The reported text, one line. Untrusted. */
  reply: string;
  /** Source of the report. */
  source: ReportSource;
  /** Whether it is believed: who made it is certain, and is certain about the mailbox. Another may be forged. */
  isBelieved: boolean;
  /** Time of the report, ms since the epoch. */
  at: number;
}
