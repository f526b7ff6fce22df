import type { Migration } from "../migration.ts";

/**
 * E-mails with recipients, payloads, outcomes and attempts; idempotency keys. Delivery never changes an e-mail's row,
 * and the rows it writes have no foreign key to it, which would lock it each time: deleting e-mails must delete those
 * rows too (`emails/remove.ts`). Tokens in sent mail name an e-mail by its number, which must not become another's.
 */
export const emails: Migration = ({
  table,
  id,
  lastingId,
  bigint,
  bytewise,
  boolean,
  clustered,
  updated,
}) => [
  `create table ${table("emails")} (
    id ${lastingId},
    uuid text not null,
    workspace_id ${bigint} references ${table("workspaces")} (id) on delete cascade,
    api_key_id text,
    batch_id text,
    batch_index ${bigint},
    campaign_id ${bigint},
    template text,
    template_version_id text,
    content_id ${bigint} references ${table("contents")} (id),
    stylesheet_set_id ${bigint} references ${table("stylesheet_sets")} (id),
    attachment_set_id ${bigint} references ${table("attachment_sets")} (id),
    smtp_server_id text,
    from_text text not null,
    subject text not null,
    to_addresses text not null,
    tags text not null,
    metadata text not null,
    route text not null,
    lane ${bigint} not null,
    created_at ${bigint} not null,
    scheduled_at ${bigint},
    deliver_before ${bigint},
    is_sensitive ${boolean} not null,
    origin text
  )`,
  `create unique index emails_uuid on ${table("emails")} (uuid)`,
  `create index emails_workspace on ${table("emails")} (workspace_id, id)`,
  // The log between two dates. Ids are no times: clocks step, and transactions end out of order.
  `create index emails_created on ${table("emails")} (workspace_id, created_at, id)`,
  `create index emails_template on ${table("emails")} (workspace_id, template, id) where template is not null`,
  `create index emails_scheduled on ${table("emails")} (workspace_id, scheduled_at) where scheduled_at is not null`,
  `create index emails_batch on ${table("emails")} (batch_id, id) where batch_id is not null`,
  `create index emails_content on ${table("emails")} (content_id) where content_id is not null`,
  // E-mails whose contents retention has not yet removed, so that it never scans those it has finished.
  `create index emails_full on ${table("emails")} (workspace_id, id) where content_id is not null`,
  `create index emails_stylesheet_set on ${table("emails")} (stylesheet_set_id) where stylesheet_set_id is not null`,
  `create index emails_attachment_set on ${table("emails")} (attachment_set_id) where attachment_set_id is not null`,
  // Columns that only delivery reads: lists and claims never touch them.
  `create table ${table("email_payloads")} (
    email_id ${bigint} primary key,
    is_sealed ${boolean} not null,
    payload text not null
  )`,
  // Written once, when the e-mail is settled or cancelled. An e-mail without an outcome is waiting or claimed by a
  // worker.
  `create table ${table("email_outcomes")} (
    email_id ${bigint} primary key,
    workspace_id ${bigint},
    status text not null,
    settled_at ${bigint} not null
  )`,
  // Nearly all e-mails end as sent: the log finds those in its own order.
  `create index email_outcomes_status on ${table("email_outcomes")} (workspace_id, status, email_id) where status <> 'sent'`,
  `create table ${table("email_recipients")} (
    email_id ${bigint} not null,
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
    remote_id text,
    missing_since ${bigint},
    settled_at ${bigint},
    primary key (email_id, position)
  ) ${clustered} ${updated}`,
  `create index email_recipients_address on ${table("email_recipients")} (workspace_id, address_key, email_id)`,
  // Labels by which the log is searched: see `email-labels.ts`.
  `create table ${table("email_labels")} (
    email_id ${bigint} not null,
    label ${bytewise} not null,
    workspace_id ${bigint} not null,
    primary key (email_id, label)
  ) ${clustered}`,
  `create index email_labels_label on ${table("email_labels")} (label, workspace_id, email_id)`,
  `create table ${table("email_attempts")} (
    email_id ${bigint} not null,
    number ${bigint} not null,
    started_at ${bigint} not null,
    ended_at ${bigint},
    worker text not null,
    outcome text not null,
    in_doubt ${boolean} not null,
    reply text not null,
    smtp_server_id text,
    trace text,
    primary key (email_id, number)
  ) ${clustered}`,
  // Each counter is the sum of its shards: concurrent processes use one each and don't wait for each other.
  `create table ${table("email_counts")} (
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    status ${bytewise} not null,
    shard ${bigint} not null,
    total ${bigint} not null,
    primary key (workspace_id, status, shard)
  ) ${clustered}`,
  `create index email_counts_turns on ${table("email_counts")} (workspace_id, status, shard) where shard >= 128`,
  // Small, whatever the size of the batch: outcomes are in the e-mails' own rows.
  `create table ${table("batches")} (
    id ${id},
    uuid text not null,
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    api_key_id text,
    total ${bigint} not null,
    accepted ${bigint} not null,
    skipped text not null,
    created_at ${bigint} not null
  )`,
  `create unique index batches_uuid on ${table("batches")} (uuid)`,
  `create index batches_workspace on ${table("batches")} (workspace_id, id)`,
  // Batches with e-mails are deleted with the last of them.
  `create index batches_empty on ${table("batches")} (created_at) where accepted = 0`,
  `create table ${table("idempotency_keys")} (
    -- An API key's uuid, or where the host sends, a name for the workspace.
    api_key_id ${bytewise} not null,
    key ${bytewise} not null,
    body_digest text not null,
    answer text not null,
    created_at ${bigint} not null,
    primary key (api_key_id, key)
  ) ${clustered}`,
  `create table ${table("dedupe_keys")} (
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    key ${bytewise} not null,
    -- An e-mail's uuid. The key stays when the e-mail is gone.
    email_id text not null,
    created_at ${bigint} not null,
    primary key (workspace_id, key)
  ) ${clustered}`,
  `create index idempotency_keys_age on ${table("idempotency_keys")} (created_at)`,
];
