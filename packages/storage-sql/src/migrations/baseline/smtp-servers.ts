import type { Migration } from "../migration.ts";

/**
 * Mail servers of workspaces. Rows that delivery writes for each message have no foreign key to the server: it would
 * lock the server's row each time, and reject the outcome of an e-mail whose server was just deleted.
 */
export const smtpServers: Migration = ({
  table,
  lastingId,
  bigint,
  bytewise,
  boolean,
  clustered,
  updated,
}) => [
  `create table ${table("smtp_servers")} (
    id ${lastingId},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    name text not null,
    host text not null,
    port ${bigint} not null,
    security text not null,
    username text not null,
    password text,
    from_domains text not null,
    is_default ${boolean} not null,
    is_active ${boolean} not null,
    priority ${bigint} not null,
    max_connections ${bigint} not null,
    max_per_kilosecond ${bigint},
    max_per_hour ${bigint},
    return_path text not null,
    version ${bigint} not null,
    state text not null,
    down_until ${bigint},
    trial_until ${bigint},
    down_since ${bigint},
    down_times ${bigint} not null,
    told_at ${bigint},
    last_error text not null,
    last_error_at ${bigint},
    health_version ${bigint} not null,
    created_at ${bigint} not null,
    updated_at ${bigint} not null
  )`,
  `create unique index smtp_servers_name on ${table("smtp_servers")} (workspace_id, name)`,
  `create table ${table("smtp_pacing")} (
    server_id ${bigint} primary key,
    next_at ${bigint} not null,
    granted ${bigint} not null
  ) ${updated}`,
  `create table ${table("smtp_sent")} (
    server_id ${bigint} not null,
    hour_start ${bigint} not null,
    worker ${bytewise} not null,
    sent ${bigint} not null,
    last_at ${bigint} not null,
    primary key (server_id, hour_start, worker)
  ) ${clustered} ${updated}`,
  `create index smtp_sent_hour on ${table("smtp_sent")} (hour_start)`,
];
