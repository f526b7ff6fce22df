// Printed by `npm run docs:routes` from the table of routes.

/** `Batch` of the API. */
export interface Batch {
  /** Id. */
  id: string;
  /** Time of creation. */
  created_at: string;
  /** Number of its e-mails by outcome, as far as they are still in the log. */
  counts: {
    /** Number of e-mails requested. */
    total: number;
    /** E-mails that wait, including scheduled ones. */
    queued: number;
    /** E-mails being handed over by a worker. */
    sending: number;
    /** E-mails that some recipient's server accepted. */
    sent: number;
    /** E-mails that no recipient's server accepted. */
    failed: number;
    /** E-mails that were returned for a recipient; they also count as sent or failed. */
    bounced: number;
    /** E-mails not sent because all their recipients are suppressed. */
    suppressed: number;
    /** E-mails that were cancelled. */
    cancelled: number;
    /** Items of the request without an e-mail. */
    skipped: number;
  };
}

/** `BatchDryRun` of the API. */
export interface BatchDryRun {
  /** Whether the e-mail would be accepted, and sent to at least one recipient. */
  would_send: boolean;
  /** All reasons to refuse it, each with the code of the refusal. */
  reasons: {
    /** Stable code. */
    code: string;
    /** Description of what happened, for people. */
    message: string;
    /** Further details, by name; null for none. */
    details: unknown;
  }[];
  /** All reasons why single e-mails would be refused. */
  faults: SkippedEmail[];
  /** E-mails, by their expected outcome. */
  counts: {
    /** Number of e-mails requested. */
    total: number;
    /** E-mails that would be sent to at least one recipient. */
    accepted: number;
    /** E-mails whose recipients are suppressed. */
    suppressed: number;
  };
  /** Limits of the plan, and their use before this send. */
  quota: {
    /** The current clock hour (UTC). */
    hour: {
      /** Number of recipients counted so far. */
      used: number;
      /** Number of recipients that the plan allows; 0 for no limit. */
      limit: number;
    };
    /** The current day (UTC). */
    day: {
      /** Number of recipients counted so far. */
      used: number;
      /** Number of recipients that the plan allows; 0 for no limit. */
      limit: number;
    };
  };
  /** Bytes of subject, html, text and files of the largest rendered e-mail. */
  size_bytes: number;
  /** Remarks that do not prevent the send. */
  warnings: {
    /** Stable code. */
    code: string;
    /** Description of what happened, for people. */
    message: string;
    /** Further details, by name; null for none. */
    details: unknown;
  }[];
}

/** `CancelledBatch` of the API. */
export interface CancelledBatch {
  /** E-mails that were cancelled. */
  cancelled: number;
}

/** `SentBatch` of the API. */
export interface SentBatch {
  /** Id of the batch that it was sent with; null for none. */
  batch_id: string;
  /** E-mails, in the order of the request. */
  emails: {
    /** Position in the request, from 0. */
    index: number;
    /** Id. */
    id: string;
    /** The recipient, or several with commas between them. */
    to: string;
    /** Status. */
    status:
      | "scheduled"
      | "queued"
      | "sending"
      | "sent"
      | "partially_sent"
      | "failed"
      | "suppressed"
      | "cancelled";
    /** Your own key for it; null for none. */
    key: string | null;
  }[];
  /** Items without an e-mail, with the reason. */
  skipped: SkippedEmail[];
}

/** `SkippedEmail` of the API. */
export interface SkippedEmail {
  /** Position in the request, from 0. */
  index: number;
  /** Recipients as given. */
  to: string;
  /** Your own key for it; null for none. */
  key: string | null;
  /** Reason: `recipient_suppressed`, `deduplicated`, or the code with which the item alone would be refused. */
  code: string;
  /** Description of what happened, for people. */
  message: string;
  /** The faulty fields, or other details; null for none. */
  details: unknown;
}
