import type { HandoverStep } from "../../../ports/mailer.ts";

/** Kinds of timeline entries. */
export type TimelineEntryType =
  | "accepted"
  | "deferred"
  | "suppressed"
  | "attempt"
  | "rescheduled"
  | "retried"
  | "cancelled"
  | "settled"
  | "bounced"
  | "delayed"
  | "complained"
  | "unsubscribed"
  | "opened"
  | "clicked"
  | "machine"
  | "webhook"
  | "waiting"
  | "in_hand";

/** A mail server used in an attempt. */
export interface TimelineHandover {
  /** The workspace's own server; `undefined` for the operator's. */
  smtpServerId: string | undefined;
  /** The server's name; `undefined` for the operator's, and for a server that was removed. */
  name: string | undefined;
  /** Reason why it accepted nothing, if the mail was not at fault. */
  held: string | undefined;
  /** Steps of the transmission, in order; empty if nothing was tried. */
  steps: HandoverStep[];
}

/** Something that happened to an e-mail, or that it waits for. */
export interface TimelineEntry {
  /** ms since the epoch. */
  at: number;
  /** Kind of the entry. */
  type: TimelineEntryType;
  /** Description in a sentence. Replies of mail servers in it are untrusted text. */
  message: string;
  /** The address that it concerns, if any. */
  recipient: string | undefined;
  /** Further details, named as in the HTTP API. Never contains content, passwords or tokens. */
  details: Record<string, unknown>;
  /** The mail servers used in an attempt, in order. */
  handovers: TimelineHandover[];
}

/** An entry before sorting, as the builders make it. */
export type NewEntry = Omit<TimelineEntry, "recipient" | "handovers"> &
  Partial<Pick<TimelineEntry, "recipient" | "handovers">>;
