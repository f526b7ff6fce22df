import type { ValueType } from "./engine.ts";
import type { Database } from "./tables.ts";

/** A table's columns by type, and which of them are its key, each as words. */
type Words = Readonly<Partial<Record<ValueType, string>> & { key: string }>;

/**
 * Every table that goes along when a database moves, after those it refers to. Left out are what only describes the old place:
 * `schema_migrations` and the `workers` that lived there.
 */
const tables = {
  plans: {
    key: "id",
    bigint:
      "id daily_rate_limit hourly_rate_limit max_attachment_size_mb max_batch_size max_api_keys max_domains max_smtp_servers max_workspaces email_log_retention_days created_at updated_at",
    text: "name description",
    boolean: "is_default is_active",
  },
  users: {
    key: "id",
    bigint:
      "id email_verified_at plan_id two_factor_enabled_at totp_last_step pending_totp_expires_at created_at",
    text: "name email email_key search_key password_hash totp_secret pending_totp_secret",
    boolean: "is_admin is_vouched_for",
  },
  recovery_codes: { key: "user_id digest", bigint: "user_id", text: "digest" },
  sessions: {
    key: "id",
    bigint: "id user_id created_at expires_at revoked_at",
    text: "uuid user_agent ip_address",
  },
  email_tokens: { key: "id", bigint: "id user_id expires_at", text: "digest purpose" },
  guards: { key: "key", bigint: "count ends_at", text: "key" },
  stylesheet_sets: { key: "id", bigint: "id", text: "hash css" },
  workspaces: {
    key: "id",
    bigint: "id plan_id stylesheet_set_id created_at updated_at",
    text: "name name_key",
    boolean: "is_trusted",
  },
  settings: {
    key: "id",
    bigint: "id workspace_id webhook_retry_count api_key_expiry_days created_at updated_at",
    text: "timezone default_sender_name default_sender_email",
    boolean: "bounce_auto_suppress require_verified_domain",
  },
  members: { key: "id", bigint: "id workspace_id user_id created_at", text: "role" },
  invitations: {
    key: "id",
    bigint: "id workspace_id invited_by expires_at created_at settled_at",
    text: "email email_key role status token_digest",
  },
  api_keys: {
    key: "id",
    bigint: "id workspace_id created_by created_at expires_at revoked_at last_used_at",
    text: "uuid name prefix digest",
  },
  usage: {
    key: "workspace_id window_kind window_start",
    bigint: "workspace_id window_start used",
    text: "window_kind",
  },
  contents: { key: "id", bigint: "id", text: "hash subject html text" },
  templates: {
    key: "id",
    bigint: "id workspace_id active_version_id next_version created_at updated_at",
    text: "uuid name description default_language",
  },
  template_versions: {
    key: "id",
    bigint: "id template_id number content_id created_at updated_at",
    text: "uuid note sample_data",
  },
  stylesheets: { key: "id", bigint: "id workspace_id created_at updated_at", text: "uuid name css" },
  emails: {
    key: "id",
    bigint: "id workspace_id content_id stylesheet_set_id created_at scheduled_at sent_at",
    text: "uuid api_key_id batch_id status template template_version_id from_text subject to_addresses tags payload",
  },
  email_recipients: {
    key: "email_id position",
    bigint: "email_id position workspace_id attempts last_code settled_at",
    text: "kind name address address_key state last_reply",
  },
  email_queue: {
    key: "email_id",
    bigint: "email_id due_at lease_until fence attempts claimed_at",
    text: "worker",
  },
  email_attempts: {
    key: "email_id number",
    bigint: "email_id number started_at ended_at",
    text: "worker outcome reply",
    boolean: "in_doubt",
  },
  email_counts: { key: "workspace_id", bigint: "workspace_id total" },
  idempotency_keys: {
    key: "api_key_id key",
    bigint: "created_at",
    text: "api_key_id key body_digest answer",
  },
  suppressions: {
    key: "workspace_id address_key",
    bigint: "workspace_id created_at",
    text: "address_key address reason",
  },
  smtp_servers: {
    key: "id",
    bigint: "id workspace_id port created_at updated_at",
    text: "uuid name host security username password from_domains",
    boolean: "is_default",
  },
  domains: {
    key: "id",
    bigint: "id workspace_id verified_at checked_at created_at updated_at",
    text: "uuid name ownership_token dkim_selector dkim_private_key dkim_public_key check_result",
  },
  campaigns: {
    key: "id",
    bigint:
      "id workspace_id recipients settled created_by scheduled_at started_at completed_at created_at updated_at",
    text: "name template template_version_id from_text status",
  },
  campaign_recipients: {
    key: "campaign_id position",
    bigint: "campaign_id position",
    text: "address template_data email_id state",
  },
  events: {
    key: "id",
    bigint: "id workspace_id user_id actor_id created_at",
    text: "category type actor_name client_ip message metadata",
  },
  webhooks: {
    key: "id",
    bigint:
      "id workspace_id former_secret_until exhausted_in_a_row failures_in_a_row paused_until created_at updated_at",
    text: "uuid url events filters secret former_secret",
    boolean: "is_active",
  },
  webhook_deliveries: {
    key: "id",
    bigint:
      "id webhook_id workspace_id attempts response_status duration_ms due_at queued_at lease_until fence created_at settled_at",
    text: "uuid event payload status response_body error",
  },
  flags: { key: "name", text: "name", boolean: "value" },
  facts: { key: "name", text: "name value" },
} as const satisfies { readonly [T in keyof Database]?: Words };

/** A table to copy. */
export interface CopiedTable {
  name: keyof typeof tables;
  /** Rows are read in the order of these. */
  key: readonly string[];
  types: Readonly<Record<string, ValueType>>;
}

const words = (text = ""): string[] => text.split(" ").filter((word) => word !== "");

/** The tables in the order to copy them in. */
export const copiedTables: readonly CopiedTable[] = Object.entries(tables as Record<string, Words>).map(
  ([name, { key, ...columns }]) => ({
    name: name as keyof typeof tables,
    key: words(key),
    types: Object.fromEntries(
      Object.entries(columns).flatMap(([type, names]) =>
        words(names).map((column) => [column, type as ValueType]),
      ),
    ),
  }),
);
