import type { SuppressionOrigin } from "./suppressions.ts";

/** The field of the message that names a recipient; `bcc` is in none. */
export type RecipientKind = "to" | "cc" | "bcc";
/** What became of an e-mail at one recipient. */
export type RecipientState = "pending" | "deferred" | "accepted" | "failed" | "suppressed" | "cancelled";

/** A recipient, and what became of the e-mail there. */
export interface EmailRecipient {
  /** The field of the message that names it. */
  kind: RecipientKind;
  /** What it is called; empty where nobody said. */
  name: string;
  /** As it was given. */
  address: string;
  /** What became of the e-mail there. */
  state: RecipientState;
  /** Attempts that tried it. */
  attempts: number;
  /** The last SMTP reply code; `undefined` where there was none. */
  lastCode: number | undefined;
  /** The last reply or fault in words: a hostile string, one line; empty where there was none. */
  lastReply: string;
  /** What the server that took it calls the message, where it is one of the workspace's own and said so. */
  remoteId?: string | undefined;
  /** Since when each answer about it was that its domain does not exist, ms. */
  domainMissingSince?: number | undefined;
  /** When it was settled, ms of queue time; `undefined` while it is not. */
  settledAt: number | undefined;
}

/** A recipient of an e-mail to be queued. */
export interface NewRecipient extends Pick<EmailRecipient, "kind" | "name" | "address"> {
  /** Why nothing may be sent to it. */
  suppressedBy?: SuppressionOrigin;
}

/** A recipient with what was reported of it. */
export interface RecipientDetails extends EmailRecipient {
  /** Of its bounce: `hard`, `soft`, `block`, `setting` or `undetermined`. */
  class: string | undefined;
  /** Of its bounce or complaint: why, as a word. */
  category: string | undefined;
  /** Such as `5.1.1`. */
  enhancedCode: string | undefined;
  /** When it bounced, ms since the epoch. */
  bouncedAt: number | undefined;
  /** When a complaint came, ms since the epoch. */
  complainedAt: number | undefined;
}
