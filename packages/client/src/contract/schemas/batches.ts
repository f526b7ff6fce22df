// Printed by `npm run docs:routes` from the table of routes.

/** `Batch` of the API. */
export interface Batch {
  /** Its id. */
  id: string;
  /** When it was made. */
  created_at: string;
  /** Its e-mails so far, by outcome, as far as the log has them. */
  counts: {
    /** E-mails that were asked for. */
    total: number;
    /** E-mails that wait, those for a later time included. */
    queued: number;
    /** E-mails that a worker is handing over. */
    sending: number;
    /** E-mails that some recipient's server accepted. */
    sent: number;
    /** E-mails that no recipient's server accepted. */
    failed: number;
    /** E-mails of which a recipient's mail came back; they are counted as sent or failed, too. */
    bounced: number;
    /** E-mails that were not sent, as all their recipients are suppressed. */
    suppressed: number;
    /** E-mails that were cancelled. */
    cancelled: number;
    /** Items of the request that became no e-mail. */
    skipped: number;
  };
}

/** `BatchDryRun` of the API. */
export interface BatchDryRun {
  /** Whether it would be accepted, and anything sent. */
  would_send: boolean;
  /** Everything that would refuse it, each by the code that the send would be refused with. */
  reasons: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
    /** Further details, by name; null for none. */
    details: unknown;
  }[];
  /** Why single e-mails would be refused: every reason of each. */
  faults: SkippedEmail[];
  /** E-mails, by their expected outcome. */
  counts: {
    /** E-mails that were asked for. */
    total: number;
    /** E-mails that would be sent to somebody. */
    accepted: number;
    /** E-mails whose recipients are suppressed. */
    suppressed: number;
  };
  /** The plan's limits, and what is used of them before this send. */
  quota: {
    /** The current clock hour, UTC. */
    hour: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
    /** The current day, UTC. */
    day: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
  };
  /** Of the largest e-mail that was rendered: bytes of subject, html, text and files. */
  size_bytes: number;
  /** Remarks that refuse nothing, and are worth knowing. */
  warnings: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
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
  /** The batch that it was sent with; null for none. */
  batch_id: string;
  /** Its e-mails, in the order of the request. */
  emails: {
    /** Its place in the request, from 0. */
    index: number;
    /** Its id. */
    id: string;
    /** The recipients. */
    to: string;
    /** Its status. */
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
  /** Items that became no e-mail, and why. */
  skipped: SkippedEmail[];
}

/** `SkippedEmail` of the API. */
export interface SkippedEmail {
  /** Its place in the request, from 0. */
  index: number;
  /** The recipients, as they were given. */
  to: string;
  /** Your own key for it; null for none. */
  key: string | null;
  /** Why: `recipient_suppressed`, `deduplicated`, or the code that would refuse it alone. */
  code: string;
  /** What happened, in words for people. */
  message: string;
  /** The faulty fields, or other details; null for none. */
  details: unknown;
}
