import type { Email, EmailStatus } from "./emails.ts";

/** E-mails that were asked for together, as they are kept. */
export interface Batch {
  /** The batch's id, which its e-mails carry. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The key that asked for it; `undefined` where a person or the host did. */
  apiKeyId: string | undefined;
  /** E-mails that were asked for. */
  total: number;
  /** How many of them were accepted. */
  accepted: number;
  /** What was asked for and is no e-mail, in the order of the request. */
  skipped: SkippedEmail[];
  /** When it was asked for, ms since the epoch. */
  createdAt: number;
}

/** An e-mail that was asked for and is none, and why. */
export interface SkippedEmail {
  /** Its place in the request, from 0. */
  index: number;
  /** As it was given. */
  to: string;
  /** What the caller calls it. */
  key?: string;
  /** Why, as a word. */
  code: string;
  /** Why, in a sentence. */
  message: string;
  /** Faulty fields, or numbers that tell of a limit. */
  details?: unknown;
}

/** An e-mail of a batch, as its answer tells of it. */
export interface BatchedEmail {
  /** The e-mail's id. */
  id: string;
  /** Its place in the request, from 0. */
  index: number;
  /** Where it stands. */
  status: EmailStatus;
}

/** Batches, and what is asked of their e-mails as a whole. */
export interface Batches {
  /** Keeps what a request asked for. */
  insert(batch: Batch): Promise<void>;
  /** `undefined` where there is none. */
  find(workspaceId: number, id: string): Promise<Batch | undefined>;
  /** Its e-mails in the order of the request; those that the log keeps no more are left out. */
  emails(id: string, now: number): Promise<BatchedEmail[]>;
  /** How many of its e-mails are of each status, and of how many a recipient bounced. */
  counts(id: string, now: number): Promise<{ byStatus: ReadonlyMap<EmailStatus, number>; bounced: number }>;
  /**
   * Cancels, among the `limit` e-mails behind the row `after`, those that wait: not what a worker has, nor what was once handed over
   * without an answer. Answers what was cancelled, and the row to go on behind; `undefined` at the end.
   */
  cancel(
    id: string,
    piece: { after: number; limit: number; now: number },
  ): Promise<{ cancelled: Email[]; last: number | undefined }>;
  /** Removes batches without an e-mail that were asked for before `before`; the others go with the last of theirs. How many. */
  deleteEmptyBefore(before: number, limit: number): Promise<number>;
}
