import type { Mailbox } from "../mailer.ts";
import type { Listing, Slice } from "./paging.ts";

/** Settled statuses, and the two that wait. `sending` is a queued e-mail under a live lease; `scheduled` one not yet due. */
export type EmailStatus =
  | "scheduled"
  | "queued"
  | "sending"
  | "sent"
  | "partially_sent"
  | "failed"
  | "cancelled";
/** The field of the message that names a recipient; `bcc` is in none. */
export type RecipientKind = "to" | "cc" | "bcc";
/** What became of an e-mail at one recipient. */
export type RecipientState = "pending" | "deferred" | "accepted" | "failed" | "suppressed" | "cancelled";

/** The part of an e-mail that is only ever read as a whole. */
export interface EmailPayload {
  from: Mailbox;
  replyTo: Mailbox[];
  headers: { name: string; value: string }[];
  /** Placeholder values; sealed text where they hold a secret. */
  data: Record<string, unknown> | string;
  /** Whether the content is sent as it stands, without placeholders. */
  literal: boolean;
  metadata: Record<string, unknown>;
  test: boolean;
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
  settledAt: number | undefined;
}

/** An e-mail as it is kept. */
export interface Email {
  id: string;
  workspaceId: number | undefined;
  status: EmailStatus;
  template: string | undefined;
  templateVersionId: string | undefined;
  contentId: number;
  stylesheetSetId: number | undefined;
  /** `"Name" <a@b>` or `a@b`. */
  from: string;
  /** The rendered subject. */
  subject: string;
  /** Addresses of the `to` recipients as given. */
  to: string[];
  tags: string[];
  payload: EmailPayload;
  createdAt: number;
  scheduledAt: number | undefined;
  sentAt: number | undefined;
}

/** An e-mail to be queued. */
export interface NewEmail extends Omit<Email, "status" | "sentAt" | "to"> {
  apiKeyId: string | undefined;
  batchId: string | undefined;
  recipients: Pick<EmailRecipient, "kind" | "name" | "address">[];
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
}

/** A due e-mail under this worker's lease. */
export interface ClaimedEmail {
  email: Email;
  recipients: EmailRecipient[];
  /** Counts claims: a stale worker's fence no longer fits. */
  fence: number;
  /** 1 for the first. */
  attempt: number;
  /** Its stored row can't be read: there is nothing to send, and it is to be failed (reliability.md, F23). */
  damaged: boolean;
}

/** What an attempt came to. */
export interface AttemptResult {
  emailId: string;
  fence: number;
  attempt: EmailAttempt;
  /** The recipients this attempt tried, by kind and address. */
  recipients: Pick<EmailRecipient, "kind" | "address" | "state" | "lastCode" | "lastReply" | "settledAt">[];
  /** The final status, or when to try again. */
  next: { status: "sent" | "partially_sent" | "failed"; sentAt: number | undefined } | { retryAt: number };
}

/** Which e-mails to list; each that is given must fit. */
export interface EmailFilter {
  /** `undefined`: the service's own mails are left out, and all workspaces are looked through. */
  workspaceId: number | undefined;
  status?: EmailStatus | undefined;
  to?: string | undefined;
  template?: string | undefined;
  from?: number | undefined;
  until?: number | undefined;
}

/** How full the queue is, in e-mails. */
export interface QueueStatus {
  due: number;
  waiting: number;
  leased: number;
  /** When the longest-due e-mail became due. */
  oldestDueAt: number | undefined;
}

/** E-mails, which are their own queue. */
export interface Emails {
  /** Inserts e-mails, their recipients and their queue rows. */
  insert(emails: NewEmail[]): Promise<void>;
  /** `undefined` as workspace finds in any. `now`, by which leases and times to send at are over, is the machine's time by default. */
  find(workspaceId: number | undefined, id: string, now?: number): Promise<Email | undefined>;
  /** In the order given at acceptance: to, cc, bcc. */
  recipients(id: string): Promise<EmailRecipient[]>;
  /** Oldest first. */
  attempts(id: string): Promise<EmailAttempt[]>;
  /** Newest first. */
  list(filter: EmailFilter, slice: Slice, now: number): Promise<Listing<Email>>;
  /**
   * Leases up to `limit` due e-mails, oldest due first, to this worker until `now + leaseMs`; a lapsed lease counts as due, and its
   * attempt is recorded as interrupted. Never those in `exclude`, which this worker still has in hand. No two workers get the same one.
   */
  claimDue(claim: {
    limit: number;
    now: number;
    leaseMs: number;
    worker: string;
    exclude: string[];
  }): Promise<ClaimedEmail[]>;
  /** Prolongs leases whose fence still fits; the ids that were. */
  renewLeases(leases: { emailId: string; fence: number }[], until: number): Promise<string[]>;
  /** Gives leases back unused, without counting the attempt. */
  release(leases: { emailId: string; fence: number }[]): Promise<void>;
  /** Records attempts whose fence still fits; the ids that were. Settled e-mails leave the queue, and sealed data is forgotten. */
  settle(results: AttemptResult[]): Promise<string[]>;
  /** Takes an e-mail out of the queue, if no worker has it; whether this call did. */
  cancel(workspaceId: number | undefined, id: string, now: number): Promise<boolean>;
  /** Puts a failed e-mail's unsettled and failed recipients back into the queue; whether it was failed or partially sent. */
  retry(workspaceId: number | undefined, id: string, now: number): Promise<boolean>;
  /** When the next e-mail falls due, lapsed and live leases included; `undefined` for an empty queue. */
  nextDueAt(): Promise<number | undefined>;
  queueStatus(now: number): Promise<QueueStatus>;
  /** Removes settled e-mails of a workspace created before `before`. */
  deleteBefore(workspaceId: number, before: number, limit: number): Promise<number>;
}

/** Answers kept for a caller that tries again (`Idempotency-Key`). */
export interface IdempotencyKeys {
  /**
   * Keeps each answer under its key, unless a younger one than `notBefore` is there: then that one is returned.
   * Requests are taken in order, also where two carry the same key.
   */
  reserve(
    requests: { apiKeyId: string; key: string; bodyDigest: string; answer: string; createdAt: number }[],
    notBefore: number,
  ): Promise<({ bodyDigest: string; answer: string } | undefined)[]>;
  /** Forgets keys again whose request came to nothing. */
  release(requests: { apiKeyId: string; key: string }[]): Promise<void>;
  find(
    apiKeyId: string,
    key: string,
    notBefore: number,
  ): Promise<{ bodyDigest: string; answer: string } | undefined>;
  deleteBefore(before: number, limit: number): Promise<number>;
}
