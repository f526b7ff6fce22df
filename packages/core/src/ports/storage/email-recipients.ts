import type { SuppressionOrigin } from "./suppressions.ts";

/** The field of the message that names a recipient. No field names `bcc` recipients. */
export type RecipientKind = "to" | "cc" | "bcc";
/** State of a recipient of an e-mail. */
export type RecipientState = "pending" | "deferred" | "accepted" | "failed" | "suppressed" | "cancelled";

/** A recipient with the state of the delivery. */
export interface EmailRecipient {
  /** The field of the message that names it. */
  kind: RecipientKind;
  /** The display name; empty if none was given. */
  name: string;
  /** The address as given. */
  address: string;
  /** State of the delivery. */
  state: RecipientState;
  /** Number of attempts for this recipient. */
  attempts: number;
  /** The last SMTP reply code; `undefined` if there was none. */
  code: number | undefined;
  /** The last reply or fault in words, one line. Untrusted text; empty if there was none. */
  lastReply: string;
  /** The id that the accepting server gave to the message; `undefined` if its reply has none. */
  remoteId?: string | undefined;
  /** Time in ms since which all replies said that the address's domain does not exist. */
  domainMissingSince?: number | undefined;
  /** When it was settled, ms of queue time; `undefined` if it is not. */
  settledAt: number | undefined;
}

/** A recipient of an e-mail to be queued. */
export interface NewRecipient extends Pick<EmailRecipient, "kind" | "name" | "address"> {
  /** Origin of the suppression that stops mail to it. */
  suppressedBy?: SuppressionOrigin;
}

/** A recipient with its reported bounce or complaint. */
export interface RecipientDetails extends EmailRecipient {
  /** Class of its bounce: `hard`, `soft`, `block`, `setting` or `undetermined`. */
  class: string | undefined;
  /** Category of its bounce or complaint. */
  category: string | undefined;
  /** Enhanced status code of its bounce, such as `5.1.1`; in `emails.get` also of the reply that deferred it. */
  enhancedCode: string | undefined;
  /** When it bounced, ms since the epoch. */
  bouncedAt: number | undefined;
  /** When a complaint was reported, ms since the epoch. */
  complainedAt: number | undefined;
}
