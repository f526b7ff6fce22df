import type { HandoverStep } from "../../../ports/mailer.ts";

/** What an entry tells of. */
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
  | "webhook"
  | "waiting"
  | "in_hand";

/** A mail server that an attempt turned to. */
export interface TimelineHandover {
  /** The workspace's own; `undefined` for the operator's. */
  smtpServerId: string | undefined;
  /** Its name; `undefined` for the operator's, and for one that is gone. */
  name: string | undefined;
  /** Why it took nothing, where it took nothing whatever the mail. */
  held: string | undefined;
  /** What was gone through there, in order; empty where nothing was tried. */
  steps: HandoverStep[];
}

/** Something that happened to an e-mail, or that it waits for. */
export interface TimelineEntry {
  /** ms since the epoch. */
  at: number;
  /** What kind of thing happened. */
  type: TimelineEntryType;
  /** What happened, in a sentence. Words of mail servers in it are hostile strings. */
  message: string;
  /** The address that it is about, where it is about one. */
  recipient: string | undefined;
  /** What else is known, by the names of the HTTP API. Never a content, a password or a token. */
  details: Record<string, unknown>;
  /** The mail servers that an attempt turned to, in order. */
  handovers: TimelineHandover[];
}

/** An entry as the parts of a timeline make it. */
export type NewEntry = Omit<TimelineEntry, "recipient" | "handovers"> &
  Partial<Pick<TimelineEntry, "recipient" | "handovers">>;
