/** Result of one piece of a removal. */
export interface Removal<Place = number> {
  /** Number of removed rows of the requested kind. */
  removed: number;
  /** Where the next piece begins; `undefined` if no later row is old enough. */
  next: Place | undefined;
}

/** A place in the lists of a workspace's campaigns. */
export interface RecipientPlace {
  /** The campaign; those before it, by id, are done with. */
  campaignId: number;
  /** The last position in its list that is done with. */
  position: number;
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

/** Times before which what a workspace has is removed, ms since the epoch; `undefined` for never. */
export interface RetentionEnds {
  /** The workspace's number; `undefined` for the service's own e-mails. */
  workspaceId: number | undefined;
  /** For its e-mails, and the recipients of its campaigns. */
  log: number | undefined;
  /** For their contents, and the recipients' template data. */
  content: number | undefined;
}

/** Numbers of rows that are past their period. */
export interface OldRows {
  /** E-mails accepted and settled before their time. */
  emails: number;
  /** E-mails among the others whose contents are there and past their time. */
  contents: number;
  /** Recipients of campaigns that ended before their time. */
  recipients: number;
  /** Recipients among the others whose template data are there and past their time. */
  values: number;
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
  /** Counts what several workspaces' periods, or the service's own, have expired. */
  countOld(ends: readonly RetentionEnds[]): Promise<OldRows>;
  /** Counts contents, stylesheet sets and files that lost a reference, and may have none left. */
  countLoose(): Promise<number>;
}
