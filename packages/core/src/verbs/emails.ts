// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { SentBatch } from "../mail/batches/batch-answer.ts";
import type { CancelledBatch } from "../mail/batches/cancel-batch.ts";
import type { BatchView } from "../mail/batches/get-batch.ts";
import type { BatchDryRun } from "../mail/batches/try-batch.ts";
import type { EmailDetails, EmailView } from "../mail/emails/email-view.ts";
import type { FileView } from "../mail/emails/get-email-attachment.ts";
import type { EmailContentView } from "../mail/emails/get-email-content.ts";
import type { SentEmail } from "../mail/submission/submit-email.ts";
import type { DryRun } from "../mail/submission/try-email.ts";
import type { CallShapes } from "./call-options.ts";
import type { SendBatchInput } from "./inputs/send-batch-input.ts";
import type { SendEmailInput } from "./inputs/send-email-input.ts";
import type { SendTemplateInput } from "./inputs/send-template-input.ts";

/** What `getBatch` takes. */
export interface GetBatchInput {
  /** The batch's id, a UUID. */
  batchId: string;
}

/** What `cancelBatch` takes. */
export interface CancelBatchInput {
  /** The batch's id, a UUID. */
  batchId: string;
}

/** What `list` takes. */
export interface ListEmailsInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
  /** Only e-mails with this status. */
  status?:
    | "scheduled"
    | "queued"
    | "sending"
    | "sent"
    | "partially_sent"
    | "failed"
    | "suppressed"
    | "cancelled"
    | undefined;
  /** Only e-mails to this address, in to, cc or bcc. */
  to?: string | undefined;
  /** Only e-mails from the template of this name. */
  template?: string | undefined;
  /** Only e-mails of this batch. */
  batchId?: string | undefined;
  /** Only e-mails that this API key sent, which may be revoked. In a long log, give a status or a time, too. */
  apiKeyId?: string | undefined;
  /** Only e-mails with this tag. */
  tag?: string | undefined;
  /**
   * Only e-mails with these entries in their metadata, at most 5: `metadata[order]=7`. Texts, numbers, true and false
   * are compared as text, other JSON is not found; of an e-mail's metadata the first 20 such entries are searchable.
   */
  metadata?: Record<string, string> | undefined;
  /** Only e-mails accepted at or after this time or date, ISO 8601, a `Date` or ms since the epoch. */
  fromDate?: string | Date | number | undefined;
  /** Only e-mails accepted before this time or date, ISO 8601, a `Date` or ms since the epoch. */
  toDate?: string | Date | number | undefined;
}

/** What `get` takes. */
export interface GetEmailInput {
  /** The e-mail's id, a UUID. */
  emailId: string;
}

/** What `cancel` takes. */
export interface CancelEmailInput {
  /** The e-mail's id, a UUID. */
  emailId: string;
}

/** What `reschedule` takes. */
export interface RescheduleEmailInput {
  /** The e-mail's id, a UUID. */
  emailId: string;
  /**
   * New time to send, ISO 8601 with an offset, a `Date` or ms since the epoch, at most 30 days ahead; null for now.
   * For an e-mail that when_limited postponed, the hour that it was charged to begins first.
   */
  scheduledAt: string | Date | number | null;
}

/** What `retry` takes. */
export interface RetryEmailInput {
  /** The e-mail's id, a UUID. */
  emailId: string;
}

/** What `getContent` takes. */
export interface GetEmailContentInput {
  /** The e-mail's id, a UUID. */
  emailId: string;
}

/** What `getAttachment` takes. */
export interface GetEmailAttachmentInput {
  /** The e-mail's id, a UUID. */
  emailId: string;
  /** The file's position among the e-mail's files, from 0. */
  position: number;
}

/** Sending e-mails, and their log. */
export interface EmailsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Accepts an e-mail from a template's active version (service.md, Sending with a template; decisions §7). Once the
   * call returns, the e-mail is stored; started services, workers among them, deliver it.
   *
   * May refuse with `not_found`, `email_not_verified`, `workspace_not_trusted`, `sender_missing`,
   * `domain_not_verified`, `attachment_not_found`, `attachment_too_large`, `message_too_large`, `deadline_passed`,
   * `limit_never_opens`, `dedupe_key_spent`, `rate_limited`, `all_recipients_suppressed`, `idempotency_key_reused`,
   * `no_smtp_server`, `not_found`, `template_data_missing`, `template_render_failed`.
   */
  sendTemplate(this: void, input: SendTemplateInput, ...call: K["workspace"]): Promise<SentEmail>;
  /**
   * Accepts an e-mail whose content is in the call (decisions §7). Once the call returns, the e-mail is stored;
   * started services, workers among them, deliver it.
   *
   * May refuse with `not_found`, `email_not_verified`, `workspace_not_trusted`, `sender_missing`,
   * `domain_not_verified`, `attachment_not_found`, `attachment_too_large`, `message_too_large`, `deadline_passed`,
   * `limit_never_opens`, `dedupe_key_spent`, `rate_limited`, `all_recipients_suppressed`, `idempotency_key_reused`,
   * `no_smtp_server`.
   */
  send(this: void, input: SendEmailInput, ...call: K["workspace"]): Promise<SentEmail>;
  /**
   * Accepts up to 10,000 e-mails at once: one for each of `recipients`, or `emails` that differ (platform.md P2). All
   * of them or none, unless `onInvalid` is `skip`; a suppressed recipient does not affect the others.
   *
   * May refuse with `email_not_verified`, `workspace_not_trusted`, `sender_missing`, `domain_not_verified`,
   * `attachment_not_found`, `attachment_too_large`, `message_too_large`, `not_found`, `template_data_missing`,
   * `template_render_failed`, `batch_too_large`, `deadline_passed`, `idempotency_key_reused`, `limit_never_opens`,
   * `no_smtp_server`, `payload_too_large`, `rate_limited`.
   */
  sendBatch(this: void, input?: SendBatchInput, ...call: K["workspace"]): Promise<SentBatch>;
  /** Returns what `sendTemplate` would answer, with all reasons for a refusal. Stores nothing. */
  dryRunSendTemplate(this: void, input: SendTemplateInput, ...call: K["workspace"]): Promise<DryRun>;
  /** Returns what `send` would answer, with all reasons for a refusal. Stores nothing. */
  dryRunSend(this: void, input: SendEmailInput, ...call: K["workspace"]): Promise<DryRun>;
  /**
   * Returns what `sendBatch` would answer, with all reasons for a refusal. Stores nothing.
   *
   * May refuse with `batch_too_large`, `payload_too_large`, `rate_limited`.
   */
  dryRunSendBatch(this: void, input?: SendBatchInput, ...call: K["workspace"]): Promise<BatchDryRun>;
  /** Reads a batch's delivery status, counted from its e-mails that are still in the log (platform.md P2). */
  getBatch(this: void, input: GetBatchInput, ...call: K["workspace"]): Promise<BatchView>;
  /** Cancels a batch's waiting e-mails and returns their number (platform.md P2). Their quota is not given back. */
  cancelBatch(this: void, input: CancelBatchInput, ...call: K["workspace"]): Promise<CancelledBatch>;
  /**
   * Lists the workspace's e-mails, newest first (decisions §7). With the workspace `all`, for administrators, those
   * of every workspace.
   */
  list(this: void, input?: ListEmailsInput, ...call: K["workspaces"]): Promise<Page<EmailView>>;
  /**
   * Reads an e-mail with its recipients' states, its attempts and its timeline (decisions §7). With the workspace
   * `all`, for administrators, an e-mail of any workspace or of the service itself, including what the operator's
   * mail servers replied about themselves.
   */
  get(this: void, input: GetEmailInput, ...call: K["workspaces"]): Promise<EmailDetails>;
  /**
   * Cancels an e-mail that still waits (decisions §7; platform.md P4). Throws `not_cancellable` if a worker has
   * leased it, if it is settled, or if a mail server may have accepted it. One that some recipients got is partially
   * sent. Its quota is not given back.
   *
   * May refuse with `not_cancellable`.
   */
  cancel(this: void, input: CancelEmailInput, ...call: K["workspace"]): Promise<EmailView>;
  /**
   * Reschedules an e-mail that still waits (platform.md P4). Throws `not_cancellable` if a worker has leased it or it
   * is settled, and `deadline_passed` for a time after its deadline. One that `whenLimited` charged to a later hour
   * is sent in that hour at the earliest.
   *
   * May refuse with `deadline_passed`, `not_cancellable`.
   */
  reschedule(this: void, input: RescheduleEmailInput, ...call: K["workspace"]): Promise<EmailView>;
  /**
   * Queues a failed e-mail again, for the recipients that did not get it (platform.md P4). Throws `not_retryable` if
   * it did not fail, its content is removed, or its deadline has passed, and `all_recipients_suppressed` if each of
   * these recipients is suppressed. With the workspace `all`, for administrators, an e-mail of any workspace.
   *
   * May refuse with `not_retryable`, `all_recipients_suppressed`.
   */
  retry(this: void, input: RetryEmailInput, ...call: K["workspaces"]): Promise<EmailView>;
  /**
   * Reads an e-mail's content, rendered as it is transmitted, without additions made at that time, such as
   * signatures. Refuses sealed content, such as that of sensitive e-mails, and content that was removed
   * (`content_unavailable`).
   *
   * May refuse with `content_unavailable`.
   */
  getContent(this: void, input: GetEmailContentInput, ...call: K["workspace"]): Promise<EmailContentView>;
  /**
   * Reads the content of one of an e-mail's files (platform.md P3). It is read after the call, during iteration.
   *
   * May refuse with `content_unavailable`.
   */
  getAttachment(this: void, input: GetEmailAttachmentInput, ...call: K["workspace"]): Promise<FileView>;
}
