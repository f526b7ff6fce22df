// Printed by `npm run docs:routes` from the table of routes.

/** `Batch` of the API. */
export interface Batch {
  /** Its id. */
  id: string;
  /** When it was made. */
  created_at: string;
  /** What became of its e-mails so far, as far as the log has them. */
  counts: {
    /** E-mails that were asked for. */
    total: number;
    /** E-mails that wait, those for a later time included. */
    queued: number;
    /** E-mails in the hands of a worker. */
    sending: number;
    /** E-mails that some recipient's server accepted. */
    sent: number;
    /** E-mails that nobody's server accepted. */
    failed: number;
    /** E-mails of which a recipient's mail came back; they are counted as sent or failed, too. */
    bounced: number;
    /** E-mails that were for nobody, as their recipients are suppressed. */
    suppressed: number;
    /** E-mails that were taken back. */
    cancelled: number;
    /** What was asked for and is no e-mail. */
    skipped: number;
  };
}

/** `BatchDryRun` of the API. */
export interface BatchDryRun {
  /** Whether it would be accepted, and anything sent. */
  would_send: boolean;
  /** All that stands against it, each by the code that the send would be refused with. */
  reasons: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
    /** What there is to know about it, by name; null for nothing. */
    details: unknown;
  }[];
  /** What stands against single e-mails: every reason of each. */
  faults: SkippedEmail[];
  /** E-mails, by what would become of them. */
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
  /** What stands in nobody's way, and is worth knowing. */
  warnings: {
    /** A code of the authenticator app, or a recovery code. */
    code: string;
    /** What happened, in words for people. */
    message: string;
    /** What there is to know about it, by name; null for nothing. */
    details: unknown;
  }[];
}

/** `CancelledBatch` of the API. */
export interface CancelledBatch {
  /** E-mails that were taken back. */
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
    /** Whom it goes to. */
    to: string;
    /** Where it stands. */
    status:
      | "scheduled"
      | "queued"
      | "sending"
      | "sent"
      | "partially_sent"
      | "failed"
      | "suppressed"
      | "cancelled";
    /** What you call it; null for nothing. */
    key: string | null;
  }[];
  /** What is no e-mail, and why. */
  skipped: SkippedEmail[];
}

/** `SkippedEmail` of the API. */
export interface SkippedEmail {
  /** Its place in the request, from 0. */
  index: number;
  /** Whom it was to go to, as it was given. */
  to: string;
  /** What you call it; null for nothing. */
  key: string | null;
  /** Why: `recipient_suppressed`, `deduplicated`, or what it would be refused with alone. */
  code: string;
  /** What happened, in words for people. */
  message: string;
  /** The faulty fields, or what else there is to say; null for nothing. */
  details: unknown;
}
