import type { Migration } from "../migration.ts";

/** Stylesheet sets, plans, users with their sessions and tokens, guards. */
export const accounts: Migration = ({ table, id, lastingId, bigint, bytewise, boolean, no, clustered }) => [
  `create table ${table("stylesheet_sets")} (
    id ${lastingId},
    hash text not null,
    css text not null
  )`,
  `create index stylesheet_sets_hash on ${table("stylesheet_sets")} (hash)`,
  `create table ${table("plans")} (
    id ${lastingId},
    name text not null,
    description text not null,
    is_default ${boolean} not null default ${no},
    is_active ${boolean} not null,
    daily_rate_limit ${bigint} not null,
    hourly_rate_limit ${bigint} not null,
    max_attachment_size_mb ${bigint} not null,
    max_batch_size ${bigint} not null,
    max_api_keys ${bigint} not null,
    max_domains ${bigint} not null,
    max_smtp_servers ${bigint} not null,
    max_workspaces ${bigint} not null,
    email_log_retention_days ${bigint} not null,
    created_at ${bigint} not null,
    updated_at ${bigint} not null
  )`,
  `create unique index plans_name on ${table("plans")} (name)`,
  `create unique index plans_default on ${table("plans")} (is_default) where is_default`,
  `create table ${table("users")} (
    id ${lastingId},
    name text not null,
    email text not null,
    email_key text not null,
    search_key text not null,
    external_id text,
    password_hash text,
    email_verified_at ${bigint},
    is_admin ${boolean} not null,
    is_vouched_for ${boolean} not null,
    plan_id ${bigint} references ${table("plans")} (id),
    two_factor_enabled_at ${bigint},
    totp_secret text,
    totp_last_step ${bigint},
    pending_totp_secret text,
    pending_totp_expires_at ${bigint},
    created_at ${bigint} not null
  )`,
  `create unique index users_email_key on ${table("users")} (email_key)`,
  `create unique index users_external_id on ${table("users")} (external_id)`,
  `create index users_plan on ${table("users")} (plan_id) where plan_id is not null`,
  `create table ${table("recovery_codes")} (
    user_id ${bigint} not null references ${table("users")} (id) on delete cascade,
    digest ${bytewise} not null,
    primary key (user_id, digest)
  ) ${clustered}`,
  `create table ${table("sessions")} (
    id ${id},
    uuid text not null,
    user_id ${bigint} not null references ${table("users")} (id) on delete cascade,
    user_agent text not null,
    ip_address text not null,
    created_at ${bigint} not null,
    expires_at ${bigint} not null,
    revoked_at ${bigint}
  )`,
  `create unique index sessions_uuid on ${table("sessions")} (uuid)`,
  `create index sessions_user on ${table("sessions")} (user_id, id)`,
  `create index sessions_expiry on ${table("sessions")} (expires_at)`,
  `create table ${table("email_tokens")} (
    id ${id},
    digest text not null,
    purpose text not null,
    user_id ${bigint} not null references ${table("users")} (id) on delete cascade,
    expires_at ${bigint} not null
  )`,
  `create unique index email_tokens_digest on ${table("email_tokens")} (digest)`,
  `create index email_tokens_user on ${table("email_tokens")} (user_id, purpose)`,
  `create index email_tokens_expiry on ${table("email_tokens")} (expires_at)`,
  `create table ${table("guards")} (
    key ${bytewise} not null primary key,
    count ${bigint} not null,
    ends_at ${bigint} not null,
    taken ${bigint} not null
  ) ${clustered}`,
  `create index guards_end on ${table("guards")} (ends_at)`,
];
