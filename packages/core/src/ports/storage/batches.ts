import type { Email, EmailStatus } from "./emails.ts";

/** A stored batch of e-mails that one request submitted. */
export interface Batch {
  /** The batch's id, which its e-mails carry. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** Id of the API key that submitted it; `undefined` if a user or the host did. */
  apiKeyId: string | undefined;
  /** Number of requested e-mails. */
  total: number;
  /** Number of accepted e-mails. */
  accepted: number;
  /** When it was requested, ms since the epoch. */
  createdAt: number;
}

/** A batch to be stored. */
export interface NewBatch extends Batch {
  /** Requested e-mails that were not accepted, in the order of the request. */
  skipped: readonly SkippedEmail[];
}

/** A requested e-mail that was not accepted, with the reason. */
export interface SkippedEmail {
  /** Its position in the request, from 0. */
  index: number;
  /** The recipient as given. */
  to: string;
  /** The caller's own key for it. */
  key?: string;
  /** The reason as a code. */
  code: string;
  /** The reason as a sentence. */
  message: string;
  /** Faulty fields, or the numbers of a limit. */
  details?: unknown;
}

/** An e-mail of a batch, as the batch's status lists it. */
export interface BatchedEmail {
  /** The e-mail's id. */
  id: string;
  /** Its position in the request, from 0. */
  index: number;
  /** The e-mail's status. */
  status: EmailStatus;
}

/** Batches, and operations on all of their e-mails. */
export interface Batches {
  /** Inserts a batch. */
  insert(batch: NewBatch): Promise<void>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<Batch | undefined>;
  /**
   * Lists the requested e-mails that were not accepted, in the order of the request. Their reasons may be megabytes, which
   * `find` does not read.
   */
  skipped(batch: Pick<Batch, "id" | "workspaceId">): Promise<SkippedEmail[]>;
  /** Lists its e-mails in the order of the request, without those that the log no longer has. */
  emails(batch: Pick<Batch, "id" | "workspaceId">, now: number): Promise<BatchedEmail[]>;
  /** Counts its e-mails by status, and those of which a recipient bounced. */
  counts(
    batch: Pick<Batch, "id" | "workspaceId">,
    now: number,
  ): Promise<{ byStatus: ReadonlyMap<EmailStatus, number>; bounced: number }>;
  /**
   * Cancels the waiting e-mails among the `limit` rows after the row `after`: none that a worker has claimed, or that
   * was sent once without an answer. Returns the cancelled e-mails, and the row to continue after, `undefined` at the
   * end.
   */
  cancel(
    id: string,
    piece: { after: number; limit: number; now: number },
  ): Promise<{ cancelled: Email[]; last: number | undefined }>;
  /**
   * Removes batches without e-mails that were requested before `before`; a batch with e-mails is removed with its last
   * one. Returns their number.
   */
  deleteEmptyBefore(before: number, limit: number): Promise<number>;
}
