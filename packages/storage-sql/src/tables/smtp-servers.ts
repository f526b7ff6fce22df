import { bigint, flag, id, orNull, table, text } from "./columns.ts";

export const smtpServerTables = {
  smtp_servers: table({
    id,
    uuid: text,
    workspace_id: bigint,
    name: text,
    host: text,
    port: bigint,
    security: text,
    username: text,
    /** Sealed. */
    password: orNull(text),
    /** JSON. */
    from_domains: text,
    is_default: flag,
    is_active: flag,
    priority: bigint,
    max_connections: bigint,
    /** Messages in 1,000 seconds, because all engines store integers alike. */
    max_per_kilosecond: orNull(bigint),
    max_per_hour: orNull(bigint),
    return_path: text,
    version: bigint,
    state: text,
    /** Queue time, as are the following. */
    down_until: orNull(bigint),
    trial_until: orNull(bigint),
    down_since: orNull(bigint),
    down_times: bigint,
    told_at: orNull(bigint),
    last_error: text,
    last_error_at: orNull(bigint),
    health_version: bigint,
    created_at: bigint,
    updated_at: bigint,
  }),

  /** Until when a server's messages are spaced out, and how many were granted last. */
  smtp_pacing: table(
    {
      server_id: bigint,
      /** µs since the epoch, queue time. */
      next_at: bigint,
      granted: bigint,
    },
    ["server_id"],
  ),

  /** E-mails that a server accepted from a worker within an hour. */
  smtp_sent: table(
    {
      server_id: bigint,
      hour_start: bigint,
      worker: text,
      sent: bigint,
      last_at: bigint,
    },
    ["server_id", "hour_start", "worker"],
  ),
};
