/** Result of one piece of a removal. */
export interface Removal {
  /** Number of removed rows of the requested kind. */
  removed: number;
  /** Where the next piece begins; `undefined` if no later row is old enough. */
  next: number | undefined;
}

/** Rows with a retention period that is the same for all workspaces, by table. */
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
  | "attachment_handles"
  | "parked_routes";

/** Retention periods of a workspace's e-mails and their content; 0 for ever. */
export interface WorkspaceClocks {
  /** The workspace's number. */
  workspaceId: number;
  /** Retention period in days by the effective plan. */
  logDays: number;
  /** Retention period in days by the workspace's own setting. */
  contentDays: number;
}

/** Selects ended campaigns whose lists are removed, oldest first. */
export interface OldCampaigns {
  /** The workspace's number. */
  workspaceId: number;
  /** Time in ms since the epoch. */
  before: number;
  /** Maximum number of rows. */
  limit: number;
}

/** Retention periods, and counts of what has expired. */
export interface Retention {
  /** Lists the retention periods of up to `limit` workspaces, by id, after one of them. */
  listClocks(after: number, limit: number): Promise<WorkspaceClocks[]>;
  /** Counts rows of a table that expired before a time. */
  countTimed(table: TimedTable, before: number): Promise<number>;
  /** Counts e-mails of a workspace accepted and settled before a time; `undefined` for the service's own. */
  countEmails(workspaceId: number | undefined, before: number): Promise<number>;
  /** Counts those among them that still have their content. */
  countContents(workspaceId: number, before: number): Promise<number>;
  /** Counts recipients of campaigns that ended before a time. */
  countCampaignRecipients(workspaceId: number, before: number): Promise<number>;
  /** Counts those among them that still have their template data. */
  countCampaignValues(workspaceId: number, before: number): Promise<number>;
  /** Counts contents, stylesheet sets and files that lost a reference, and may have none left. */
  countLoose(): Promise<number>;
}
