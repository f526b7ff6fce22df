import type { Migration } from "../migration.ts";

/** Events, webhooks with their deliveries, and facts about the database itself. */
export const events: Migration = ({ table, id, lastingId, bigint, bytewise, boolean, clustered }) => [
  `create table ${table("events")} (
    id ${lastingId},
    category text not null,
    type text not null,
    workspace_id ${bigint},
    user_id ${bigint},
    actor_id ${bigint},
    actor_name text not null,
    client_ip text not null,
    message text not null,
    metadata text not null,
    created_at ${bigint} not null,
    email_id text
  )`,
  // Only for rare events of an e-mail: most events here have none.
  `create index events_email on ${table("events")} (email_id, id) where email_id is not null`,
  `create index events_workspace on ${table("events")} (workspace_id, id) where workspace_id is not null`,
  // Nearly all events concern e-mails: queries for those use the log's order.
  `create index events_user on ${table("events")} (user_id, id) where user_id is not null`,
  // All of e-mails' events but those that every e-mail has: the last bounce of millions is found at once.
  `create index events_rare on ${table("events")} (type, id)
    where category = 'email' and type <> 'email.queued' and type <> 'email.sent'`,
  `create index events_category on ${table("events")} (category, id) where category <> 'email'`,
  `create index events_workspace_category on ${table("events")} (workspace_id, category, id) where category <> 'email'`,
  `create table ${table("webhooks")} (
    id ${id},
    uuid text not null unique,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    url text not null,
    events text not null,
    filters text not null,
    is_active ${boolean} not null,
    secret text not null,
    former_secret text,
    former_secret_until ${bigint},
    exhausted_in_a_row ${bigint} not null default 0,
    failures_in_a_row ${bigint} not null default 0,
    last_error text not null default '',
    pace ${bigint} not null default 1,
    paused_until ${bigint},
    created_at ${bigint} not null,
    updated_at ${bigint} not null
  )`,
  `create index webhooks_workspace on ${table("webhooks")} (workspace_id, id)`,
  `create table ${table("webhook_deliveries")} (
    id ${id},
    uuid text not null unique,
    webhook_id ${bigint} not null references ${table("webhooks")} (id) on delete cascade,
    workspace_id ${bigint} not null,
    event text not null,
    payload text not null,
    status text not null,
    attempts ${bigint} not null default 0,
    response_status ${bigint},
    response_body text not null default '',
    duration_ms ${bigint},
    error text not null default '',
    due_at ${bigint},
    queued_at ${bigint} not null,
    lease_until ${bigint},
    fence ${bigint} not null default 0,
    created_at ${bigint} not null,
    settled_at ${bigint},
    email_id text,
    erased_fence ${bigint}
  )`,
  `create index webhook_deliveries_email on ${table("webhook_deliveries")} (email_id, id) where email_id is not null`,
  `create index webhook_deliveries_webhook on ${table("webhook_deliveries")} (webhook_id, id)`,
  `create index webhook_deliveries_backlog on ${table("webhook_deliveries")} (webhook_id, due_at, id) where status = 'pending'`,
  `create index webhook_deliveries_settled on ${table("webhook_deliveries")} (settled_at) where settled_at is not null`,
  `create table ${table("facts")} (
    name ${bytewise} not null primary key,
    value text not null
  ) ${clustered}`,
];
