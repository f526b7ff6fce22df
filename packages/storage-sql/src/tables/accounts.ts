import type { Flag, Id } from "./columns.ts";

export interface PlansTable {
  id: Id;
  name: string;
  description: string;
  is_default: Flag;
  is_active: Flag;
  daily_rate_limit: number;
  hourly_rate_limit: number;
  max_attachment_size_mb: number;
  max_batch_size: number;
  max_api_keys: number;
  max_domains: number;
  max_smtp_servers: number;
  max_workspaces: number;
  email_log_retention_days: number;
  created_at: number;
  updated_at: number;
}

export interface UsersTable {
  id: Id;
  name: string;
  email: string;
  /** The address in lower case: what is unique. */
  email_key: string;
  /** Name and address in lower case, to search in. */
  search_key: string;
  /** The host's own name for the person: what is unique. */
  external_id: string | null;
  password_hash: string | null;
  email_verified_at: number | null;
  is_admin: Flag;
  is_vouched_for: Flag;
  plan_id: number | null;
  two_factor_enabled_at: number | null;
  totp_secret: string | null;
  totp_last_step: number | null;
  pending_totp_secret: string | null;
  pending_totp_expires_at: number | null;
  created_at: number;
}

export interface RecoveryCodesTable {
  user_id: number;
  digest: string;
}

export interface SessionsTable {
  id: Id;
  uuid: string;
  user_id: number;
  user_agent: string;
  ip_address: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

export interface EmailTokensTable {
  id: Id;
  digest: string;
  purpose: string;
  user_id: number;
  expires_at: number;
}

export interface GuardsTable {
  key: string;
  count: number;
  ends_at: number;
}

export interface WorkspacesTable {
  id: Id;
  name: string;
  /** The name in lower case, to search in. */
  name_key: string;
  /** The host's own name for the workspace: what is unique. */
  external_id: string | null;
  is_trusted: Flag;
  plan_id: number | null;
  stylesheet_set_id: number | null;
  created_at: number;
  updated_at: number;
}

export interface SettingsTable {
  id: Id;
  workspace_id: number;
  timezone: string;
  default_sender_name: string;
  default_sender_email: string;
  webhook_retry_count: number;
  api_key_expiry_days: number;
  dkim_rotation_days: number;
  content_retention_days: number;
  bounce_auto_suppress: Flag;
  require_verified_domain: Flag;
  platform_server: Flag;
  created_at: number;
  updated_at: number;
}

export interface MembersTable {
  id: Id;
  workspace_id: number;
  user_id: number;
  role: string;
  created_at: number;
}

export interface InvitationsTable {
  id: Id;
  workspace_id: number;
  email: string;
  email_key: string;
  role: string;
  status: string;
  token_digest: string;
  invited_by: number | null;
  expires_at: number;
  created_at: number;
  settled_at: number | null;
}

export interface ApiKeysTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  name: string;
  prefix: string;
  digest: string;
  created_by: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** When it was told that the key is about to expire. */
  expiry_told_at: number | null;
}

/** Accepted recipients of a workspace in the window (`hour`, `day`) that begins at `window_start`. */
export interface UsageTable {
  workspace_id: number;
  window_kind: string;
  window_start: number;
  shard: number;
  used: number;
}

export interface AccountTables {
  plans: PlansTable;
  users: UsersTable;
  recovery_codes: RecoveryCodesTable;
  sessions: SessionsTable;
  email_tokens: EmailTokensTable;
  guards: GuardsTable;
  workspaces: WorkspacesTable;
  settings: SettingsTable;
  members: MembersTable;
  invitations: InvitationsTable;
  api_keys: ApiKeysTable;
  usage: UsageTable;
}
