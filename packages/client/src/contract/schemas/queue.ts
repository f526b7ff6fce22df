// Printed by `npm run docs:routes` from the table of routes.

/** `MailFailure` of the API. */
export interface MailFailure {
  /** The e-mail's id. */
  email_id: string;
  /** The workspace's id. */
  workspace_id: number | null;
  /** The e-mail's outcome. */
  type: "email.failed" | "email.delivery_delayed" | "email.bounced";
  /** When it happened. */
  at: string;
  /** The mail server's reply, or why it was not asked. */
  reason: string;
}

/** `QueueChange` of the API. */
export interface QueueChange {
  /** Whether the call changed anything. */
  changed: boolean;
  /** E-mails that were cancelled before delivery went on. */
  dropped: number;
}

/** `QueueHold` of the API. */
export interface QueueHold {
  /** Why, in words. */
  reason: string;
  /** When the hold ends; null until it is ended. */
  until: string | null;
}

/** `QueueRoute` of the API. */
export interface QueueRoute {
  /** Its name: `w:7` is workspace 7 on the operator's server, `service` the service's own mails. */
  route: string;
  /** Whose e-mails wait there; null for the service's own. */
  workspace_id: number | null;
  /** E-mails that could go now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails that a worker has leased. */
  leased: number;
  /** When its longest-due e-mail fell due; null where none is due. */
  oldest_due_at: string | null;
  /** Why its delivery is held; null if it is not. */
  held: QueueHold | null;
}

/** `QueueStatus` of the API. */
export interface QueueStatus {
  /** E-mails that could go now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails that a worker has leased. */
  leased: number;
  /** When the longest-due e-mail fell due; null where none is due. */
  oldest_due_at: string | null;
  /** Whether all delivery is held. */
  paused: boolean;
  /** When it was paused; null if it is not. */
  paused_at: string | null;
  /** Why it is paused; null where it is not. */
  paused_reason: string | null;
  /** When the copy was made that this database is, from which nobody has delivered yet; null where it is none. */
  restored_from: string | null;
  /** The workers that deliver, the last seen first. */
  workers: Worker[];
  /** Routes on which e-mails wait: at most 100, the longest due first. */
  routes: QueueRoute[];
  /** Recipients by outcome since the database was created: two readings make a rate. */
  totals: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was deferred, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  };
  /** Recent failures, newest first: at most 10, of the last 500 events. */
  failures: MailFailure[];
}

/** `Worker` of the API. */
export interface Worker {
  /** Its process, by an id of this run. */
  id: string;
  /** When it last gave a sign of life. */
  seen_at: string;
}
