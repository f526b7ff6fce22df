import type { Flag, Id } from "./columns.ts";

export interface SmtpServersTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  name: string;
  host: string;
  port: number;
  security: string;
  username: string;
  /** Sealed. */
  password: string | null;
  /** JSON. */
  from_domains: string;
  is_default: Flag;
  is_active: Flag;
  priority: number;
  max_connections: number;
  /** Messages in 1,000 seconds: engines keep whole numbers alike. */
  max_per_kilosecond: number | null;
  max_per_hour: number | null;
  return_path: string;
  version: number;
  state: string;
  /** Queue time, as the following. */
  down_until: number | null;
  down_since: number | null;
  down_times: number;
  told_at: number | null;
  last_error: string;
  last_error_at: number | null;
  health_version: number;
  created_at: number;
  updated_at: number;
}

/** Up to when a server's messages are spaced out, and how many of them were granted last. */
export interface SmtpPacingTable {
  server_id: number;
  /** µs since the epoch, queue time. */
  next_at: number;
  granted: number;
}

/** E-mails that a server took from a worker within an hour. */
export interface SmtpSentTable {
  server_id: number;
  hour_start: number;
  worker: string;
  sent: number;
  last_at: number;
}

export interface SmtpServerTables {
  smtp_servers: SmtpServersTable;
  smtp_pacing: SmtpPacingTable;
  smtp_sent: SmtpSentTable;
}
