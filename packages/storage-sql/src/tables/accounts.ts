import { bigint, flag, id, orNull, table, text } from "./columns.ts";

export const accountTables = {
  plans: table({
    id,
    name: text,
    description: text,
    is_default: flag,
    is_active: flag,
    daily_rate_limit: bigint,
    hourly_rate_limit: bigint,
    max_attachment_size_mb: bigint,
    max_batch_size: bigint,
    max_api_keys: bigint,
    max_domains: bigint,
    max_smtp_servers: bigint,
    max_workspaces: bigint,
    email_log_retention_days: bigint,
    created_at: bigint,
    updated_at: bigint,
  }),

  users: table({
    id,
    name: text,
    email: text,
    /** The address in lower case; unique. */
    email_key: text,
    /** Name and address in lower case, for searching. */
    search_key: text,
    /** The host's own id of the user; unique. */
    external_id: orNull(text),
    password_hash: orNull(text),
    email_verified_at: orNull(bigint),
    is_admin: flag,
    is_vouched_for: flag,
    plan_id: orNull(bigint),
    two_factor_enabled_at: orNull(bigint),
    totp_secret: orNull(text),
    totp_last_step: orNull(bigint),
    pending_totp_secret: orNull(text),
    pending_totp_expires_at: orNull(bigint),
    created_at: bigint,
  }),

  recovery_codes: table(
    {
      user_id: bigint,
      digest: text,
    },
    ["user_id", "digest"],
  ),

  sessions: table({
    id,
    uuid: text,
    user_id: bigint,
    user_agent: text,
    ip_address: text,
    created_at: bigint,
    expires_at: bigint,
    revoked_at: orNull(bigint),
  }),

  email_tokens: table({
    id,
    digest: text,
    purpose: text,
    user_id: bigint,
    expires_at: bigint,
  }),

  guards: table(
    {
      key: text,
      count: bigint,
      ends_at: bigint,
      /** How many attempts the last statement that counted was granted. */
      taken: bigint,
    },
    ["key"],
  ),

  workspaces: table({
    id,
    name: text,
    /** The name in lower case, for searching. */
    name_key: text,
    /** The host's own id of the workspace; unique. */
    external_id: orNull(text),
    is_trusted: flag,
    plan_id: orNull(bigint),
    stylesheet_set_id: orNull(bigint),
    /** Until then it is being deleted, unless that is prolonged. */
    deleting_until: orNull(bigint),
    created_at: bigint,
    updated_at: bigint,
  }),

  settings: table({
    id,
    workspace_id: bigint,
    timezone: text,
    default_sender_name: text,
    default_sender_email: text,
    webhook_retry_count: bigint,
    api_key_expiry_days: bigint,
    dkim_rotation_days: bigint,
    content_retention_days: bigint,
    bounce_auto_suppress: flag,
    require_verified_domain: flag,
    platform_server: flag,
    track_opens: flag,
    track_clicks: flag,
    tracking_details: flag,
    tracking_trap: flag,
    created_at: bigint,
    updated_at: bigint,
  }),

  members: table({
    id,
    workspace_id: bigint,
    user_id: bigint,
    role: text,
    created_at: bigint,
  }),

  invitations: table({
    id,
    workspace_id: bigint,
    email: text,
    email_key: text,
    role: text,
    status: text,
    token_digest: text,
    invited_by: orNull(bigint),
    expires_at: bigint,
    created_at: bigint,
    settled_at: orNull(bigint),
  }),

  api_keys: table({
    id,
    uuid: text,
    workspace_id: bigint,
    name: text,
    prefix: text,
    digest: text,
    created_by: orNull(bigint),
    created_at: bigint,
    expires_at: orNull(bigint),
    revoked_at: orNull(bigint),
    last_used_at: orNull(bigint),
    /** When the owner was notified that the key is about to expire. */
    expiry_told_at: orNull(bigint),
  }),

  /** Accepted recipients of a workspace in the window (`hour`, `day`) that begins at `window_start`. */
  usage: table(
    {
      workspace_id: bigint,
      window_kind: text,
      window_start: bigint,
      shard: bigint,
      used: bigint,
    },
    ["workspace_id", "window_kind", "window_start", "shard"],
  ),
};
