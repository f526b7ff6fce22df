import type { CalendarObject, Mailbox } from "../mailer.ts";
import type { Lane } from "./lane.ts";
import type { Listing, Slice } from "./paging.ts";
import type { RecipientReport } from "./recipient-report.ts";
import type { Removal } from "./retention.ts";
import type { SuppressionOrigin } from "./suppressions.ts";

/** Settled statuses, and those without an outcome: `sending` is an e-mail in a worker's hands, `scheduled` one not yet due. */
export const emailStatuses = [
  "scheduled",
  "queued",
  "sending",
  "sent",
  "partially_sent",
  "failed",
  "suppressed",
  "cancelled",
] as const;
/** One of them. */
export type EmailStatus = (typeof emailStatuses)[number];
/** The field of the message that names a recipient; `bcc` is in none. */
export type RecipientKind = "to" | "cc" | "bcc";
/** What became of an e-mail at one recipient. */
export type RecipientState = "pending" | "deferred" | "accepted" | "failed" | "suppressed" | "cancelled";

/** The part of an e-mail that only delivering reads: it may be large. */
export interface EmailPayload {
  from: Mailbox;
  replyTo: Mailbox[];
  /** Who sends it on behalf of `from`. */
  sender?: Mailbox;
  /** Absent where it is sealed with the data. */
  calendar?: CalendarObject;
  headers: { name: string; value: string }[];
  /** Placeholder values; sealed text where they hold a secret. */
  data: Record<string, unknown> | string;
  /** By what its one recipient unsubscribes from a list. */
  unsubscribe?: { list: string; url: string };
  /** Whether the content is sent as it stands, without placeholders. */
  literal: boolean;
  /** Whether it goes only as long as the sender's domain is a verified one of the workspace. */
  requiresDomain?: boolean;
}

/** A recipient, and what became of the e-mail there. */
export interface EmailRecipient {
  kind: RecipientKind;
  name: string;
  address: string;
  state: RecipientState;
  attempts: number;
  lastCode: number | undefined;
  lastReply: string;
  /** What the server that took it calls the message, where it is one of the workspace's own and said so. */
  remoteId?: string | undefined;
  /** Since when each answer about it was that its domain does not exist, ms. */
  domainMissingSince?: number | undefined;
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
  category: string | undefined;
  /** Such as `5.1.1`. */
  enhancedCode: string | undefined;
  bouncedAt: number | undefined;
  complainedAt: number | undefined;
}

/** An e-mail as it is kept. */
export interface Email {
  id: string;
  workspaceId: number | undefined;
  status: EmailStatus;
  template: string | undefined;
  templateVersionId: string | undefined;
  /** The campaign that it is a part of. */
  campaignId?: number | undefined;
  /** `undefined` once it was removed, and with it values and files. */
  contentId: number | undefined;
  stylesheetSetId: number | undefined;
  /** Its files; absent where it has none. */
  attachmentSetId?: number | undefined;
  /** The server that it was to go through, where one was named. */
  smtpServerId?: string | undefined;
  /** `"Name" <a@b>` or `a@b`. */
  from: string;
  /** The rendered subject. */
  subject: string;
  /** Addresses of the `to` recipients as given. */
  to: string[];
  tags: string[];
  metadata: Record<string, unknown>;
  createdAt: number;
  scheduledAt: number | undefined;
  /** Queue time after which no attempt begins. */
  deliverBefore: number | undefined;
  /** How urgently it waits. */
  lane: Lane;
  batchId: string | undefined;
  /** Its place in what its batch asked for, from 0. */
  batchIndex?: number | undefined;
  /** Whether what it says is sealed, and forgotten once it is settled. */
  isSensitive: boolean;
  sentAt: number | undefined;
}

/** Where an e-mail came from, and what was decided when it was accepted: for whoever asks later. What is not there was not given. */
export interface EmailOrigin {
  /** The person who sent it. */
  userId?: number | undefined;
  /** The HTTP request's. */
  requestId?: string | undefined;
  idempotencyKey?: string | undefined;
  dedupeKey?: string | undefined;
  /** Whether it was accepted only because the sender's domain is verified. */
  requiresDomain?: boolean | undefined;
  /** Recipients that the plan allowed in an hour and a day, where it had limits. */
  limits?: { hour: number; day: number } | undefined;
  /** When it was to be sent before it was put off for want of room in those limits. */
  deferredFrom?: number | undefined;
}

/** What is known of an e-mail beyond its row. Times of the queue are queue time. */
export interface EmailHistory {
  origin: EmailOrigin;
  apiKeyId: string | undefined;
  /** The template version's; `undefined` where it is gone. */
  versionNumber: number | undefined;
  route: string;
  settledAt: number | undefined;
  /** While it waits: when it is due. */
  dueAt: number | undefined;
  /** While a worker has it: who, and since when. */
  inHand: { worker: string; since: number } | undefined;
  /** What was reported of its recipients, oldest first. */
  reports: (Pick<
    RecipientReport,
    "position" | "kind" | "category" | "enhancedCode" | "reply" | "source" | "at"
  > & {
    class: string;
  })[];
}

/** An e-mail to be queued. */
export interface NewEmail extends Omit<Email, "status" | "sentAt" | "to"> {
  contentId: number;
  origin?: EmailOrigin | undefined;
  payload: EmailPayload;
  apiKeyId: string | undefined;
  /** Those who are suppressed are settled at once. Where all are, so is the e-mail: it is only noted, and never queued. */
  recipients: NewRecipient[];
  /** Where it waits. */
  route: string;
  /** When it is due, ms: `scheduledAt`, or `createdAt`. */
  dueAt: number;
}

/** A delivery attempt. One without `endedAt` was interrupted: its message may have been taken (reliability.md, promise 2). */
export interface EmailAttempt {
  number: number;
  startedAt: number;
  endedAt: number | undefined;
  worker: string;
  outcome: "sent" | "deferred" | "failed" | "interrupted";
  /** Whether the final dot was out without an answer. */
  inDoubt: boolean;
  reply: string;
  /** The workspace's own server that it was handed to; `undefined` for the operator's. */
  smtpServerId?: string | undefined;
  /** What it went through, at most 4096 characters of JSON; `undefined` where that is not known. */
  trace?: string | undefined;
}

/** Which e-mails to list; each that is given must fit. */
export interface EmailFilter {
  /** `all`: every workspace's; the service's own mails are nobody's, and left out. */
  workspaceId: number | "all";
  status?: EmailStatus | undefined;
  /** One of its recipients, whether in to, cc or bcc, in any case. */
  to?: string | undefined;
  template?: string | undefined;
  batchId?: string | undefined;
  /** One of its tags. */
  tag?: string | undefined;
  /** Entries of its metadata, all of them; a number, true or false by how it is written. Only its first 20 plain entries are found. */
  metadata?: Readonly<Record<string, string>> | undefined;
  from?: number | undefined;
  until?: number | undefined;
}

/** What an e-mail is made from. */
export interface EmailContent {
  /** `undefined` where it was forgotten, as what was sealed is. */
  payload: EmailPayload | undefined;
  /** The digests by which its content and its stylesheets are known. */
  contentHash: string;
  stylesheetSetHash: string | undefined;
}

/** The log of e-mails. */
export interface Emails {
  /** So many e-mails are about to be inserted: where ids are asked for, it is done meanwhile. Never rejects. */
  reserveIds(count: number): Promise<void>;
  /** Inserts e-mails with recipients and payloads, and puts them into the queue. */
  insert(emails: NewEmail[]): Promise<void>;
  /** With `all`, one of any workspace or of the service itself. `now`, by which times to send at are over, is the machine's time by default. */
  find(workspaceId: number | "all", id: string, now?: number): Promise<Email | undefined>;
  /** What it is made from; `undefined` where there is no such e-mail, or its content was removed. */
  content(id: string): Promise<EmailContent | undefined>;
  /** In the order given at acceptance: to, cc, bcc. */
  recipients(id: string): Promise<RecipientDetails[]>;
  /** Oldest first. */
  attempts(id: string): Promise<EmailAttempt[]>;
  history(id: string): Promise<EmailHistory | undefined>;
  /** Newest first. */
  list(filter: EmailFilter, slice: Slice, now: number): Promise<Listing<Email>>;
  /**
   * Takes an e-mail out of the queue, if no worker has it, and none ever had it and may have sent it: `in_doubt` then, unless that is to
   * be passed over. Its sealed data is forgotten.
   */
  cancel(
    workspaceId: number | "all",
    id: string,
    now: number,
    options?: { evenInDoubt?: boolean },
  ): Promise<"cancelled" | "not_waiting" | "in_doubt">;
  /** Makes an e-mail due at another time, if no worker has it; whether this call did. */
  reschedule(workspaceId: number | "all", id: string, scheduledAt: number): Promise<boolean>;
  /**
   * Puts a failed e-mail's unsettled and failed recipients back into the queue; whether it was failed or partially sent, and there is
   * still something to send: what was sealed is forgotten.
   */
  retry(workspaceId: number | "all", id: string, now: number): Promise<boolean>;
  /**
   * Removes settled e-mails created before `before`, oldest first, with all that belongs to them. Of at most `limit`, from behind the
   * `next` of the piece before. `undefined` as workspace removes the service's own.
   */
  deleteBefore(
    workspaceId: number | undefined,
    before: number,
    limit: number,
    after?: number,
  ): Promise<Removal>;
  /** Removes in the same way what they said (values, content, files), and leaves their rows of the log. */
  forgetContents(workspaceId: number, before: number, limit: number, after?: number): Promise<Removal>;
}
