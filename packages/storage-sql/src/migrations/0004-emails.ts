import type { Migration } from "./migration.ts";

/** E-mails with recipients, queue and attempts; idempotency keys; what sending will look up later. */
export const emails: Migration = ({ table, id, bigint, boolean, clustered }) => {
  const workspace = `${bigint} not null references ${table("workspaces")} (id) on delete cascade`;
  const email = `${bigint} not null references ${table("emails")} (id) on delete cascade`;
  return [
    `create table ${table("emails")} (
      id ${id},
      uuid text not null,
      workspace_id ${bigint} references ${table("workspaces")} (id) on delete cascade,
      api_key_id text,
      batch_id text,
      status text not null,
      template text,
      template_version_id text,
      content_id ${bigint} not null references ${table("contents")} (id),
      stylesheet_set_id ${bigint} references ${table("stylesheet_sets")} (id),
      from_text text not null,
      subject text not null,
      to_addresses text not null,
      tags text not null,
      payload text not null,
      created_at ${bigint} not null,
      scheduled_at ${bigint},
      sent_at ${bigint}
    )`,
    `create unique index emails_uuid on ${table("emails")} (uuid)`,
    `create index emails_workspace on ${table("emails")} (workspace_id, id)`,
    // Nearly all are sent in the end: the log finds those by its order.
    `create index emails_status on ${table("emails")} (workspace_id, status, id) where status <> 'sent'`,
    `create index emails_template on ${table("emails")} (workspace_id, template, id) where template is not null`,
    `create index emails_content on ${table("emails")} (content_id)`,
    `create table ${table("email_recipients")} (
      email_id ${email},
      position ${bigint} not null,
      workspace_id ${bigint},
      kind text not null,
      name text not null,
      address text not null,
      address_key text not null,
      state text not null,
      attempts ${bigint} not null default 0,
      last_code ${bigint},
      last_reply text not null default '',
      settled_at ${bigint},
      primary key (email_id, position)
    ) ${clustered}`,
    `create index email_recipients_address on ${table("email_recipients")} (workspace_id, address_key, email_id)`,
    `create table ${table("email_queue")} (
      email_id ${bigint} primary key references ${table("emails")} (id) on delete cascade,
      due_at ${bigint} not null,
      lease_until ${bigint},
      fence ${bigint} not null default 0,
      attempts ${bigint} not null default 0,
      worker text,
      claimed_at ${bigint}
    )`,
    `create index email_queue_due on ${table("email_queue")} (due_at, email_id)`,
    `create table ${table("email_attempts")} (
      email_id ${email},
      number ${bigint} not null,
      started_at ${bigint} not null,
      ended_at ${bigint},
      worker text not null,
      outcome text not null,
      in_doubt ${boolean} not null,
      reply text not null,
      primary key (email_id, number)
    ) ${clustered}`,
    `create table ${table("email_counts")} (
      workspace_id ${bigint} primary key references ${table("workspaces")} (id) on delete cascade,
      total ${bigint} not null
    )`,
    `create table ${table("idempotency_keys")} (
      -- An API key's uuid, or where the host sends, a name for the workspace.
      api_key_id text not null,
      key text not null,
      body_digest text not null,
      answer text not null,
      created_at ${bigint} not null,
      primary key (api_key_id, key)
    ) ${clustered}`,
    `create index idempotency_keys_age on ${table("idempotency_keys")} (created_at)`,
    `create table ${table("suppressions")} (
      workspace_id ${workspace},
      address_key text not null,
      address text not null,
      reason text not null,
      created_at ${bigint} not null,
      primary key (workspace_id, address_key)
    ) ${clustered}`,
    `create table ${table("smtp_servers")} (
      id ${id},
      uuid text not null unique,
      workspace_id ${workspace},
      name text not null,
      host text not null,
      port ${bigint} not null,
      security text not null,
      username text,
      password text,
      from_domains text not null,
      is_default ${boolean} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null
    )`,
    `create unique index smtp_servers_name on ${table("smtp_servers")} (workspace_id, name)`,
    `create unique index smtp_servers_default on ${table("smtp_servers")} (workspace_id) where is_default`,
    `create table ${table("domains")} (
      id ${id},
      uuid text not null unique,
      workspace_id ${workspace},
      name text not null,
      ownership_token text not null,
      dkim_selector text not null,
      dkim_private_key text not null,
      dkim_public_key text not null,
      verified_at ${bigint},
      checked_at ${bigint},
      check_result text not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null
    )`,
    `create unique index domains_name on ${table("domains")} (workspace_id, name)`,
  ];
};
