import type { Migration } from "./migration.ts";

/** Campaigns and their recipients. */
export const campaigns: Migration = ({ table, lastingId, bigint, clustered }) => [
  `create table ${table("campaigns")} (
    id ${lastingId},
    workspace_id ${bigint} not null references ${table("workspaces")} (id) on delete cascade,
    name text not null,
    template text not null,
    template_version_id text,
    from_text text,
    status text not null,
    recipients ${bigint} not null default 0,
    settled ${bigint} not null default 0,
    created_by ${bigint} references ${table("users")} (id) on delete set null,
    scheduled_at ${bigint},
    started_at ${bigint},
    completed_at ${bigint},
    created_at ${bigint} not null,
    updated_at ${bigint} not null
  )`,
  `create index campaigns_workspace on ${table("campaigns")} (workspace_id, id)`,
  `create index campaigns_status on ${table("campaigns")} (status)`,
  `create index campaigns_creator on ${table("campaigns")} (created_by)`,
  `create table ${table("campaign_recipients")} (
    campaign_id ${bigint} not null references ${table("campaigns")} (id) on delete cascade,
    position ${bigint} not null,
    address text not null,
    template_data text not null,
    email_id text,
    state text not null,
    primary key (campaign_id, position)
  ) ${clustered}`,
  `create index campaign_recipients_email on ${table("campaign_recipients")} (email_id) where email_id is not null`,
];
