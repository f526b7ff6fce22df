import type { CalendarObject, Mailbox } from "../mailer.ts";
import type { NewRecipient, RecipientDetails } from "./email-recipients.ts";
import type { Lane } from "./lane.ts";
import type { Listing, Slice } from "./paging.ts";
import type { RecipientReport } from "./recipient-report.ts";
import type { Removal } from "./retention.ts";

export type * from "./email-recipients.ts";

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

/** The part of an e-mail that only delivering reads: it may be large. */
export interface EmailPayload {
  /** The sender. */
  from: Mailbox;
  /** Where answers go; empty: to the sender. */
  replyTo: Mailbox[];
  /** Who sends it on behalf of `from`. */
  sender?: Mailbox;
  /** Absent where it is sealed with the data. */
  calendar?: CalendarObject;
  /** Further header fields, in order. */
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

/** An e-mail as it is kept. */
export interface Email {
  /** The e-mail's UUID. */
  id: string;
  /** The workspace's number; `undefined` for the service's own mail. */
  workspaceId: number | undefined;
  /** Where it stands. */
  status: EmailStatus;
  /** The template's name; `undefined` where the content was given. */
  template: string | undefined;
  /** The version that it was made from. */
  templateVersionId: string | undefined;
  /** The campaign that it is a part of. */
  campaignId?: number | undefined;
  /** `undefined` once it was removed, and with it values and files. */
  contentId: number | undefined;
  /** The stylesheets in force at its acceptance; `undefined` where there were none. */
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
  /** As they were given, in order. */
  tags: string[];
  /** As it was given. */
  metadata: Record<string, unknown>;
  /** When it was accepted, ms since the epoch. */
  createdAt: number;
  /** When it is to be sent, ms since the epoch; `undefined`: at once. */
  scheduledAt: number | undefined;
  /** Queue time after which no attempt begins. */
  deliverBefore: number | undefined;
  /** How urgently it waits. */
  lane: Lane;
  /** The batch that it is of. */
  batchId: string | undefined;
  /** Its place in what its batch asked for, from 0. */
  batchIndex?: number | undefined;
  /** Whether what it says is sealed, and forgotten once it is settled. */
  isSensitive: boolean;
  /** When it was settled as sent, wholly or in part, ms of queue time. */
  sentAt: number | undefined;
}

/** Where an e-mail came from, and what was decided when it was accepted: for whoever asks later. What is not there was not given. */
export interface EmailOrigin {
  /** The person who sent it. */
  userId?: number | undefined;
  /** The HTTP request's. */
  requestId?: string | undefined;
  /** The key under which the request may come again (decisions §7). */
  idempotencyKey?: string | undefined;
  /** The key under which it is sent once ever (platform.md P1). */
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
  /** Where it came from. */
  origin: EmailOrigin;
  /** The key that sent it; `undefined` where a person or the host did. */
  apiKeyId: string | undefined;
  /** The template version's; `undefined` where it is gone. */
  versionNumber: number | undefined;
  /** The route that it waited on, or waits. */
  route: string;
  /** When it was settled; `undefined` while it is not. */
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
  /** What it says, which is kept. */
  contentId: number;
  /** Where it comes from, for whoever asks later. */
  origin?: EmailOrigin | undefined;
  /** What only delivering reads. */
  payload: EmailPayload;
  /** The key that sends it; `undefined` where a person or the host does. */
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
  /** 1 for the first. */
  number: number;
  /** When it began, ms of queue time. */
  startedAt: number;
  /** When it ended, ms of queue time. */
  endedAt: number | undefined;
  /** The worker that made it. */
  worker: string;
  /** What it came to. */
  outcome: "sent" | "deferred" | "failed" | "interrupted";
  /** Whether the final dot was out without an answer. */
  inDoubt: boolean;
  /** The last reply or fault in words: a hostile string, one line. */
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
  /** Those of this status. */
  status?: EmailStatus | undefined;
  /** One of its recipients, whether in to, cc or bcc, in any case. */
  to?: string | undefined;
  /** Those made from the template of this name. */
  template?: string | undefined;
  /** Those of this batch. */
  batchId?: string | undefined;
  /** One of its tags. */
  tag?: string | undefined;
  /** Entries of its metadata, all of them; a number, true or false by how it is written. Only its first 20 plain entries are found. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Those accepted at this time or later, ms since the epoch. */
  from?: number | undefined;
  /** Those accepted before this time, ms since the epoch. */
  until?: number | undefined;
}

/** What an e-mail is made from. */
export interface EmailContent {
  /** `undefined` where it was forgotten, as what was sealed is. */
  payload: EmailPayload | undefined;
  /** The digests by which its content and its stylesheets are known. */
  contentHash: string;
  /** `undefined` where it has no stylesheets. */
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
  /** `undefined` where there is no such e-mail. */
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
  /** Changes when an e-mail is due, if no worker has it; answers whether this call did. */
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
