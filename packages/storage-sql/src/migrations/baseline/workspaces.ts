import type { Migration } from "../migration.ts";

/** Workspaces and what belongs to them: settings, members, invitations, API keys, usage. */
export const workspaces: Migration = ({ table, id, lastingId, bigint, bytewise, boolean, clustered }) => {
  const workspace = `${bigint} not null references ${table("workspaces")} (id) on delete cascade`;
  return [
    `create table ${table("workspaces")} (
      id ${lastingId},
      name text not null,
      name_key text not null,
      external_id text,
      is_trusted ${boolean} not null,
      plan_id ${bigint} references ${table("plans")} (id),
      stylesheet_set_id ${bigint} references ${table("stylesheet_sets")} (id),
      deleting_until ${bigint},
      created_at ${bigint} not null,
      updated_at ${bigint} not null
    )`,
    `create unique index workspaces_external_id on ${table("workspaces")} (external_id)`,
    `create index workspaces_plan on ${table("workspaces")} (plan_id) where plan_id is not null`,
    `create index workspaces_stylesheet_set on ${table("workspaces")} (stylesheet_set_id) where stylesheet_set_id is not null`,
    `create table ${table("settings")} (
      id ${lastingId},
      workspace_id ${workspace},
      timezone text not null,
      default_sender_name text not null,
      default_sender_email text not null,
      webhook_retry_count ${bigint} not null,
      api_key_expiry_days ${bigint} not null,
      dkim_rotation_days ${bigint} not null,
      content_retention_days ${bigint} not null,
      bounce_auto_suppress ${boolean} not null,
      require_verified_domain ${boolean} not null,
      platform_server ${boolean} not null,
      track_opens ${boolean} not null,
      track_clicks ${boolean} not null,
      tracking_details ${boolean} not null,
      tracking_trap ${boolean} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null
    )`,
    `create unique index settings_workspace on ${table("settings")} (workspace_id)`,
    `create table ${table("members")} (
      id ${lastingId},
      workspace_id ${workspace},
      user_id ${bigint} not null references ${table("users")} (id) on delete cascade,
      role text not null,
      created_at ${bigint} not null
    )`,
    `create unique index members_user on ${table("members")} (workspace_id, user_id)`,
    `create unique index members_owner on ${table("members")} (workspace_id) where role = 'owner'`,
    `create index members_workspaces on ${table("members")} (user_id, workspace_id)`,
    `create table ${table("invitations")} (
      id ${lastingId},
      workspace_id ${workspace},
      email text not null,
      email_key text not null,
      role text not null,
      status text not null,
      token_digest text not null,
      invited_by ${bigint} references ${table("users")} (id) on delete set null,
      expires_at ${bigint} not null,
      created_at ${bigint} not null,
      settled_at ${bigint}
    )`,
    `create unique index invitations_token on ${table("invitations")} (token_digest)`,
    `create unique index invitations_pending on ${table("invitations")} (workspace_id, email_key) where status = 'pending'`,
    `create index invitations_workspace on ${table("invitations")} (workspace_id, id)`,
    `create index invitations_email on ${table("invitations")} (email_key, id) where status = 'pending'`,
    `create index invitations_inviter on ${table("invitations")} (invited_by)`,
    `create table ${table("api_keys")} (
      id ${id},
      uuid text not null unique,
      workspace_id ${workspace},
      name text not null,
      prefix text not null,
      digest text not null,
      created_by ${bigint} references ${table("users")} (id) on delete set null,
      created_at ${bigint} not null,
      expires_at ${bigint},
      revoked_at ${bigint},
      last_used_at ${bigint},
      expiry_told_at ${bigint}
    )`,
    `create unique index api_keys_digest on ${table("api_keys")} (digest)`,
    `create index api_keys_workspace on ${table("api_keys")} (workspace_id, id)`,
    `create index api_keys_creator on ${table("api_keys")} (created_by)`,
    `create index api_keys_expiry on ${table("api_keys")} (expires_at) where revoked_at is null`,
    // Expired keys are kept: the hourly search for those that expire soon must not read all that were announced.
    `create index api_keys_unannounced on ${table("api_keys")} (expires_at) where revoked_at is null and expiry_told_at is null`,
    `create table ${table("usage")} (
      workspace_id ${workspace},
      window_kind ${bytewise} not null,
      window_start ${bigint} not null,
      -- A counter is the sum of its shards. The one that limits are charged to is 0. Below it is what processes leased of that and have
      -- left, as a number below 0.
      shard ${bigint} not null,
      used ${bigint} not null,
      primary key (workspace_id, window_kind, window_start, shard),
      constraint usage_leased check (shard >= 0 or used <= 0)
    ) ${clustered}`,
    `create index usage_start on ${table("usage")} (window_start)`,
  ];
};
