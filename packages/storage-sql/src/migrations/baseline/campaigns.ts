import type { Migration } from "../migration.ts";

/** Campaigns, their recipients, and the outcomes (platform.md P9). */
export const campaigns: Migration = ({ table, lastingId, bigint, bytewise, clustered, updated }) => [
  `create table ${table("campaigns")} (
    id ${lastingId},
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    name text not null,
    name_key text not null,
    status text not null,
    paused_reason text,
    template text,
    template_version_id text,
    content_id ${bigint} references ${table("contents")} (id),
    stylesheet_set_id ${bigint} references ${table("stylesheet_sets")} (id),
    attachment_set_id ${bigint} references ${table("attachment_sets")} (id),
    from_mailbox text,
    plan text not null,
    recipients ${bigint} not null default 0,
    cursor_position ${bigint} not null default 0,
    scheduled_at ${bigint},
    started_at ${bigint},
    completed_at ${bigint},
    created_by ${bigint} references ${table("users")} (id) on delete set null,
    created_at ${bigint} not null,
    updated_at ${bigint} not null,
    look_at ${bigint},
    -- How far retention got in removing what it said, and when all was.
    forgotten_position ${bigint} not null default 0,
    forgotten_at ${bigint},
    next_slot_at ${bigint} not null default 0,
    paused_ms ${bigint} not null default 0,
    -- JSON of what was counted when its people let it go on.
    judged_from text,
    feeder_worker text,
    feeder_until ${bigint} not null default 0,
    -- Counts up with each feeder: what one writes whose number is old changes nothing.
    feeder_fence ${bigint} not null default 0
  )`,
  `create index campaigns_workspace on ${table("campaigns")} (workspace_id, id)`,
  `create index campaigns_look on ${table("campaigns")} (look_at) where look_at is not null`,
  `create index campaigns_ended on ${table("campaigns")} (workspace_id, updated_at) where status in ('completed', 'cancelled')`,
  `create index campaigns_content on ${table("campaigns")} (content_id) where content_id is not null`,
  `create index campaigns_stylesheet_set on ${table("campaigns")} (stylesheet_set_id) where stylesheet_set_id is not null`,
  `create index campaigns_attachment_set on ${table("campaigns")} (attachment_set_id) where attachment_set_id is not null`,
  `create index campaigns_creator on ${table("campaigns")} (created_by) where created_by is not null`,
  `create table ${table("campaign_recipients")} (
    campaign_id ${bigint} not null references ${table("campaigns")} (id) on delete cascade,
    position ${bigint} not null,
    name text not null,
    address text not null,
    address_key text not null,
    template_data text not null,
    state text not null,
    reason text not null default '',
    email_id text,
    primary key (campaign_id, position)
  ) ${clustered} ${updated}`,
  `create unique index campaign_recipients_address on ${table("campaign_recipients")} (campaign_id, address_key)`,
  // Each counter is the sum of its shards, as in `email_counts`.
  `create table ${table("campaign_counts")} (
    campaign_id ${bigint} not null references ${table("campaigns")} (id) on delete cascade,
    counter ${bytewise} not null,
    shard ${bigint} not null,
    total ${bigint} not null,
    primary key (campaign_id, counter, shard)
  ) ${clustered}`,
  `create index campaign_counts_turns on ${table("campaign_counts")} (campaign_id, counter, shard) where shard >= 128`,
];
