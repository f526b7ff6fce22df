// Printed by `npm run docs:routes` from the table of routes.

/** `MailFailure` of the API. */
export interface MailFailure {
  /** The e-mail's id. */
  email_id: string;
  /** The workspace's id. */
  workspace_id: number | null;
  /** Outcome of the e-mail. */
  type: "email.failed" | "email.delivery_delayed" | "email.bounced";
  /** Time of the failure. */
  at: string;
  /** The mail server's reply, or why no server was asked. */
  reason: string;
}

/** `QueueChange` of the API. */
export interface QueueChange {
  /** Whether the call changed anything. */
  changed: boolean;
  /** Number of e-mails cancelled before delivery was resumed. */
  dropped: number;
}

/** `QueueHold` of the API. */
export interface QueueHold {
  /**
   * Whose hold it is. `operator`: until the route is resumed. `campaign`: until the paused campaign is resumed, or
   * the cancelled one's e-mails are cancelled. `server`: until the mail server is tried again.
   */
  owner: "operator" | "campaign" | "server";
  /** Reason, for people. */
  reason: string;
  /** Time at which the hold ends; null if its owner ends it. */
  until: string | null;
}

/** `QueueRoute` of the API. */
export interface QueueRoute {
  /** Name of the route: `w:7` is workspace 7 on the operator's server, `service` the service's own e-mails. */
  route: string;
  /** Id of the workspace whose e-mails wait; null for the service's own. */
  workspace_id: number | null;
  /** E-mails that could be sent now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails that a worker has leased. */
  leased: number;
  /** Due time of the e-mail that is due longest; null if none is due. */
  oldest_due_at: string | null;
  /** Why delivery is held: at most one hold of each owner, none if it is not held. */
  holds: QueueHold[];
}

/** `QueueStatus` of the API. */
export interface QueueStatus {
  /** E-mails that could be sent now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails that a worker has leased. */
  leased: number;
  /** Due time of the e-mail that is due longest; null if none is due. */
  oldest_due_at: string | null;
  /** Whether all delivery is paused. */
  paused: boolean;
  /** Time of the pause; null if delivery is not paused. */
  paused_at: string | null;
  /** Reason for the pause; null if it is not paused. */
  paused_reason: string | null;
  /** If the database is a copy from which nothing was delivered yet: time of the copy; else null. */
  restored_from: string | null;
  /** Workers that deliver, the last seen first. */
  workers: Worker[];
  /** Routes that are held or on which e-mails wait: at most 100, held ones first, then the longest due. */
  routes: QueueRoute[];
  /** Deliveries to webhooks. */
  webhooks: QueueWebhooks;
  /** Recipients by outcome since the database was created: the difference of two readings gives a rate. */
  totals: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server accepted the e-mail. */
    delivered: number;
    /** Number of deferrals: attempts for a recipient that are retried later. */
    deferred: number;
    /** Recipients whose mail was refused or returned. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Recipients of accepted e-mails who got none because they are suppressed. */
    suppressed: number;
  };
  /** Recent failures, newest first: at most 10, of the last 500 events. */
  failures: MailFailure[];
}

/** `QueueWebhook` of the API. */
export interface QueueWebhook {
  /** The webhook's id. */
  webhook_id: string;
  /** The workspace's id. */
  workspace_id: number;
  /** Host of its URL. */
  host: string;
  /** Deliveries that are due now. */
  due: number;
  /** Deliveries that are due later, or being attempted. */
  waiting: number;
  /** Due time of the delivery that is due longest; null if none is due. */
  oldest_due_at: string | null;
  /**
   * How its endpoint does: `off` is switched off, `paused` asked for a pause, of `failing` ones the last attempt
   * failed, `slow` ones took longer than 2.5 s, and the others are `working`.
   */
  state: "working" | "slow" | "failing" | "paused" | "off";
  /** End of the pause that its endpoint asked for; null without one. */
  paused_until: string | null;
  /** Number of consecutive failed attempts. */
  failures: number;
  /** Why the last attempt failed; null if it did not. */
  error: string | null;
}

/** `QueueWebhooks` of the API. */
export interface QueueWebhooks {
  /** Deliveries that are due, due later, or being attempted. */
  pending: number;
  /** Due time of the delivery that is due longest to a webhook whose endpoint works and is not slow; null if none is. */
  oldest_due_at: string | null;
  /** Webhooks that deliveries wait for: at most 100, the longest due first. */
  endpoints: QueueWebhook[];
}

/** `Worker` of the API. */
export interface Worker {
  /** Id of the process, new at every start. */
  id: string;
  /** Time of the last heartbeat. */
  seen_at: string;
}
