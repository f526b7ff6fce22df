import type { CalendarObject, Mailbox } from "../mailer.ts";
import type { NewRecipient, RecipientDetails } from "./email-recipients.ts";
import type { Lane } from "./lane.ts";
import type { Listing, Slice } from "./paging.ts";
import type { RecipientHits } from "./recipient-hits.ts";
import type { RecipientReport } from "./recipient-report.ts";
import type { Removal } from "./retention.ts";

export type * from "./email-recipients.ts";

/** Statuses of e-mails, settled ones and others: `sending` means claimed by a worker, `scheduled` not yet due. */
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
/** One of these values. */
export type EmailStatus = (typeof emailStatuses)[number];

/** What of an e-mail is tracked; at least one of opens and clicks is (platform.md P11). */
export interface EmailTracking {
  /** Whether the html has an image that records its opening. */
  opens: boolean;
  /** Whether the links of the html record that they are followed. */
  clicks: boolean;
  /** Whether the html has a link that no human sees. */
  trap: boolean;
}

/** The part of an e-mail that only delivery reads. It may be large. */
export interface EmailPayload {
  /** The sender. */
  from: Mailbox;
  /** Address for answers; if empty, the sender's. */
  replyTo: Mailbox[];
  /** The sender on behalf of `from`. */
  sender?: Mailbox;
  /** The iCalendar object; absent if it is encrypted together with `data`. */
  calendar?: CalendarObject;
  /** Further header fields, in order. */
  headers: { name: string; value: string }[];
  /** Template values; encrypted text if they contain a secret. */
  data: Record<string, unknown> | string;
  /** The data of its single recipient's unsubscribe link. */
  unsubscribe?: { list: string; url: string };
  /** Whether the content is sent literally, without placeholders. */
  literal: boolean;
  /** Whether the sender's domain had to be a verified one of the workspace when it was accepted. */
  requiresDomain?: boolean;
  /** Whether it was accepted for mail servers of the workspace alone, and none of the operator's. */
  ownServersOnly?: boolean;
  /** What is tracked; absent if nothing is. */
  tracking?: EmailTracking;
  /** Its Date, ms since the epoch, if it was rescheduled after an attempt: else that of its time to be sent. */
  date?: number;
}

/** A stored e-mail. */
export interface Email {
  /** The e-mail's UUID. */
  id: string;
  /** The workspace's number; `undefined` for the service's own mail. */
  workspaceId: number | undefined;
  /** The e-mail's status. */
  status: EmailStatus;
  /** The template's name; `undefined` if the content was given directly. */
  template: string | undefined;
  /** The template version that it uses. */
  templateVersionId: string | undefined;
  /** Id of its campaign. */
  campaignId?: number | undefined;
  /** Id of the content; `undefined` once it was removed together with values and files. */
  contentId: number | undefined;
  /** Stylesheets at its acceptance; `undefined` if there were none. */
  stylesheetSetId: number | undefined;
  /** Its files; absent if it has none. */
  attachmentSetId?: number | undefined;
  /** Id of the requested server, if the request named one. */
  smtpServerId?: string | undefined;
  /** `"Name" <a@b>` or `a@b`. */
  from: string;
  /** The rendered subject. */
  subject: string;
  /** Addresses of the `to` recipients as given. */
  to: string[];
  /** The tags as given, in order. */
  tags: string[];
  /** The metadata as given. */
  metadata: Record<string, unknown>;
  /** When it was accepted, ms since the epoch. */
  createdAt: number;
  /** When it is scheduled for, ms since the epoch; `undefined` for at once. */
  scheduledAt: number | undefined;
  /** Queue time after which no attempt begins. */
  deliverBefore: number | undefined;
  /** The lane, which is the urgency. */
  lane: Lane;
  /** Id of its batch. */
  batchId: string | undefined;
  /** Its position in the batch's request, from 0. */
  batchIndex?: number | undefined;
  /** Whether its content is encrypted, and removed once it is settled. */
  isSensitive: boolean;
  /** When it was sent, to all or some recipients, ms of queue time. */
  sentAt: number | undefined;
}

/** Origin of an e-mail and decisions at its acceptance, for later inspection. Absent fields were not given. */
export interface EmailOrigin {
  /** Number of the user who sent it. */
  userId?: number | undefined;
  /** Id of the HTTP request. */
  requestId?: string | undefined;
  /** The key under which the request may be repeated (decisions §7). */
  idempotencyKey?: string | undefined;
  /** The key under which it is sent only once (platform.md P1). */
  dedupeKey?: string | undefined;
  /** Whether it was accepted only because the sender's domain is verified. */
  requiresDomain?: boolean | undefined;
  /** Recipients that the plan allowed per hour and day, if it had limits. */
  limits?: { hour: number; day: number } | undefined;
  /** The original time, if it was postponed to stay within those limits. */
  deferredFrom?: number | undefined;
  /** Start of the hour that it was charged to, if that was yet to come: it is not sent before. */
  chargedHour?: number | undefined;
}

/** History of an e-mail beyond its row. Times of the queue are queue time. */
export interface EmailHistory {
  /** Its origin. */
  origin: EmailOrigin;
  /** Id of the API key that sent it; `undefined` if a user or the host did. */
  apiKeyId: string | undefined;
  /** Number of the template version; `undefined` if that was deleted. */
  versionNumber: number | undefined;
  /** The route that it waits or waited on. */
  route: string;
  /** When it was settled; `undefined` if it is not. */
  settledAt: number | undefined;
  /** While it waits: when it is due. */
  dueAt: number | undefined;
  /** While a worker has claimed it: the worker and the time of the claim. */
  inHand: { worker: string; since: number } | undefined;
  /** Reports about its recipients, oldest first. */
  reports: (Pick<
    RecipientReport,
    "position" | "kind" | "category" | "enhancedCode" | "reply" | "source" | "at"
  > & {
    class: string;
  })[];
  /** Openings and clicks: opens first, then by position. */
  hits: RecipientHits[];
}

/** An e-mail to insert into the queue. */
export interface NewEmail extends Omit<Email, "status" | "sentAt" | "to"> {
  /** Id of the stored content. */
  contentId: number;
  /** UTF-8 bytes of a content that is sent as written; absent if it is a template, or encrypted with the payload. */
  literalBytes?: number;
  /** Its origin, for later inspection. */
  origin?: EmailOrigin | undefined;
  /** The part that only delivery reads. */
  payload: EmailPayload;
  /** Id of the API key that sends it; `undefined` if a user or the host does. */
  apiKeyId: string | undefined;
  /** Suppressed recipients are settled at once. If all are, so is the e-mail: it is stored but never queued. */
  recipients: NewRecipient[];
  /** The route that it waits on. */
  route: string;
  /** When it is due, ms of queue time: `scheduledAt`, or `queuedAt`. */
  dueAt: number;
  /** When it is queued, ms of queue time, which `createdAt` is not on SQLite. */
  queuedAt: number;
}

/**
 * A delivery attempt. One without `endedAt` was interrupted: its message may have been accepted (reliability.md,
 * promise 2).
 */
export interface EmailAttempt {
  /** Number, counted from 1. */
  number: number;
  /** When it began, ms of queue time. */
  startedAt: number;
  /** When it ended, ms of queue time. */
  endedAt: number | undefined;
  /** The worker that made it. */
  worker: string;
  /** Result of the attempt. */
  outcome: "sent" | "deferred" | "failed" | "interrupted";
  /** Whether the final dot was sent but not answered. */
  inDoubt: boolean;
  /** The last reply or fault in words, one line. Untrusted text. */
  reply: string;
  /** Id of the workspace's own server that was used; `undefined` for the operator's. */
  smtpServerId?: string | undefined;
  /** Steps of the attempt as JSON of at most 4096 characters; `undefined` if unknown. */
  trace?: string | undefined;
}

/** Filters of a list of e-mails. All given ones must match. */
export interface EmailFilter {
  /** The workspace's number, or `all` for all workspaces. The service's own mails belong to none and are left out. */
  workspaceId: number | "all";
  /** Only e-mails with this status. */
  status?: EmailStatus | undefined;
  /** Only e-mails with this recipient, in to, cc or bcc; case is ignored. */
  to?: string | undefined;
  /** Only e-mails from the template with this name. */
  template?: string | undefined;
  /** Only e-mails of this batch. */
  batchId?: string | undefined;
  /** Only e-mails that this API key sent. No index has them: each that the other filters find is looked at. */
  apiKeyId?: string | undefined;
  /** Only e-mails with this tag. */
  tag?: string | undefined;
  /** Only e-mails with all of these entries among the first 20 plain ones of their metadata, compared as text. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Only e-mails accepted at or after this time, ms since the epoch. */
  from?: number | undefined;
  /** Only e-mails accepted before this time, ms since the epoch. */
  until?: number | undefined;
}

/** The stored data that an e-mail is rendered from. */
export interface EmailContent {
  /** The payload; `undefined` if it was removed, as encrypted ones are. */
  payload: EmailPayload | undefined;
  /** Digest of its content. */
  contentHash: string;
  /** Digest of its stylesheets; `undefined` if it has none. */
  stylesheetSetHash: string | undefined;
}

/** The log of e-mails. */
export interface Emails {
  /**
   * Announces that `count` e-mails are about to be inserted, so that a storage which must query ids can do so early.
   * Never rejects.
   */
  reserveIds(count: number): Promise<void>;
  /** Inserts e-mails with recipients and payloads, and queues them. */
  insert(emails: NewEmail[]): Promise<void>;
  /**
   * Finds an e-mail; with `all`, of any workspace or of the service itself. `now` decides which scheduled times have
   * passed.
   */
  find(workspaceId: number | "all", id: string, now: number): Promise<Email | undefined>;
  /** Returns the data that it is rendered from; `undefined` if there is no such e-mail, or its content was removed. */
  content(id: string): Promise<EmailContent | undefined>;
  /** Lists recipients in the order given at acceptance: to, cc, bcc. */
  recipients(id: string): Promise<RecipientDetails[]>;
  /** Lists them, oldest first. */
  attempts(id: string): Promise<EmailAttempt[]>;
  /** Returns its history; `undefined` if there is no such e-mail. */
  history(id: string): Promise<EmailHistory | undefined>;
  /** Lists them, newest first. */
  list(filter: EmailFilter, slice: Slice, now: number): Promise<Listing<Email>>;
  /**
   * Cancels an e-mail if no worker has claimed it; one that some recipients got is partially sent. Returns `in_doubt` if
   * a worker may have sent it before. Its encrypted data is removed.
   */
  cancel(
    workspaceId: number | "all",
    id: string,
    now: number,
  ): Promise<"cancelled" | "not_waiting" | "in_doubt">;
  /** Does the same for many, even if a worker may have sent them before, and returns those that are cancelled. */
  cancelAll(ids: readonly string[], now: number): Promise<Email[]>;
  /**
   * Changes when an e-mail is due if no worker has claimed it. Returns whether this call did. Its payload keeps the Date of
   * one that was tried.
   */
  reschedule(workspaceId: number | "all", id: string, scheduledAt: number, now: number): Promise<boolean>;
  /**
   * Queues a failed e-mail's unsettled and failed recipients again. Returns the number of their bounces, which are
   * forgotten; `undefined` if it is neither failed nor partially sent, if nobody is left to get it, or if its data was
   * removed, as encrypted data is.
   */
  retry(workspaceId: number | "all", id: string, now: number): Promise<{ bounces: number } | undefined>;
  /**
   * Deletes e-mails accepted and settled before `before`, oldest first, with all their rows. Of at most `limit`, after the
   * `next` of the previous piece. `undefined` as workspace deletes the service's own.
   */
  deleteBefore(
    workspaceId: number | undefined,
    before: number,
    limit: number,
    after?: number,
  ): Promise<Removal>;
  /** Removes the content (values, content, files) of such e-mails in the same way, and keeps their rows of the log. */
  forgetContents(workspaceId: number, before: number, limit: number, after?: number): Promise<Removal>;
}
