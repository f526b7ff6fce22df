/** What came of one piece of a removal. */
export interface Removal {
  /** Rows that were removed, of the kind that was asked for. */
  removed: number;
  /** Where the next piece begins; `undefined` where nothing further on is old enough. */
  next: number | undefined;
}

/** What ends by one clock, the same for everybody, by the table that it is in. */
export type TimedTable =
  | "sessions"
  | "email_tokens"
  | "guards"
  | "idempotency_keys"
  | "mail_metrics"
  | "usage"
  | "webhook_deliveries"
  | "suppressions"
  | "workers"
  | "inbound_reports"
  | "bounce_days"
  | "smtp_sent"
  | "batches"
  | "events"
  | "attachment_handles";

/** For how long a workspace keeps e-mails, and what they said; 0 for ever. */
export interface WorkspaceClocks {
  /** The workspace's number. */
  workspaceId: number;
  /** Days, by the effective plan. */
  logDays: number;
  /** Days, by the workspace's own setting. */
  contentDays: number;
}

/** What campaigns' lists are shortened by: of those that ended before, oldest first. */
export interface OldCampaigns {
  /** The workspace's number. */
  workspaceId: number;
  /** Ms since the epoch. */
  before: number;
  /** Rows at the most. */
  limit: number;
}

/** The retention rules, and how much they would delete. */
export interface Retention {
  /** The clocks of up to `limit` workspaces, from behind one of them, by their ids. */
  listClocks(after: number, limit: number): Promise<WorkspaceClocks[]>;
  /** Rows of a table whose time was over before a moment. */
  countTimed(table: TimedTable, before: number): Promise<number>;
  /** Settled e-mails of a workspace created before a moment; `undefined` for the service's own. */
  countEmails(workspaceId: number | undefined, before: number): Promise<number>;
  /** Those among them that still have what they said. */
  countContents(workspaceId: number, before: number): Promise<number>;
  /** Recipients of campaigns that ended before a moment; where `withValues`, only those of campaigns that still have what they said. */
  countCampaignRecipients(workspaceId: number, before: number, withValues: boolean): Promise<number>;
  /** Contents, stylesheet sets and files that something ceased to refer to, and perhaps everything. */
  countLoose(): Promise<number>;
}
