import type { ValueType } from "./engine.ts";
import type { Database } from "./tables.ts";

/** A table's columns by type, and which of them are its key, each as words. */
type Words = Readonly<Partial<Record<ValueType, string>> & { key: string }>;

/**
 * Every table that goes along when a database moves, after those it refers to. Left out are what only describes the old place:
 * `schema_migrations`, and the `workers` that lived there with their `jobs`.
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
    text: "name email email_key search_key external_id password_hash totp_secret pending_totp_secret",
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
    text: "name name_key external_id",
    boolean: "is_trusted",
  },
  settings: {
    key: "id",
    bigint:
      "id workspace_id webhook_retry_count api_key_expiry_days dkim_rotation_days content_retention_days created_at updated_at",
    text: "timezone default_sender_name default_sender_email",
    boolean: "bounce_auto_suppress require_verified_domain platform_server",
  },
  members: { key: "id", bigint: "id workspace_id user_id created_at", text: "role" },
  invitations: {
    key: "id",
    bigint: "id workspace_id invited_by expires_at created_at settled_at",
    text: "email email_key role status token_digest",
  },
  api_keys: {
    key: "id",
    bigint: "id workspace_id created_by created_at expires_at revoked_at last_used_at expiry_told_at",
    text: "uuid name prefix digest",
  },
  usage: {
    key: "workspace_id window_kind window_start shard",
    bigint: "workspace_id window_start shard used",
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
  blobs: { key: "id", bigint: "id size created_at check_at", text: "digest" },
  blob_chunks: { key: "blob_id position", bigint: "blob_id position", text: "content" },
  attachment_sets: { key: "id", bigint: "id check_at", text: "digest" },
  attachment_set_items: {
    key: "set_id position",
    bigint: "set_id position blob_id",
    text: "filename content_type content_id",
  },
  attachment_handles: {
    key: "id",
    bigint: "id workspace_id blob_id created_at used_at expires_at",
    text: "uuid filename content_type",
  },
  blob_uploads: { key: "id", bigint: "id begun_at" },
  emails: {
    key: "id",
    bigint:
      "id workspace_id batch_index campaign_id content_id stylesheet_set_id attachment_set_id lane created_at scheduled_at deliver_before",
    text: "uuid api_key_id batch_id template template_version_id smtp_server_id from_text subject to_addresses tags metadata route origin",
    boolean: "is_sensitive",
  },
  email_payloads: { key: "email_id", bigint: "email_id", text: "payload", boolean: "is_sealed" },
  email_outcomes: { key: "email_id", bigint: "email_id workspace_id settled_at", text: "status" },
  email_recipients: {
    key: "email_id position",
    bigint: "email_id position workspace_id attempts last_code missing_since settled_at",
    text: "kind name address address_key state last_reply remote_id",
  },
  email_labels: { key: "email_id label", bigint: "email_id workspace_id", text: "label" },
  email_queue: {
    key: "email_id",
    bigint: "email_id lane due_at queued_at attempts bytes",
    text: "route",
  },
  claims: { key: "id", bigint: "id claimed_at renewed_at until items", text: "worker" },
  claim_items: {
    key: "email_id",
    bigint: "email_id claim_id lane due_at queued_at attempts bytes",
    text: "route",
  },
  parked_routes: { key: "route", bigint: "parked_at parked_until", text: "route reason" },
  email_attempts: {
    key: "email_id number",
    bigint: "email_id number started_at ended_at",
    text: "worker outcome reply smtp_server_id trace",
    boolean: "in_doubt",
  },
  email_counts: { key: "workspace_id status shard", bigint: "workspace_id shard total", text: "status" },
  batches: {
    key: "id",
    bigint: "id workspace_id total accepted created_at",
    text: "uuid api_key_id skipped",
  },
  recipient_reports: {
    key: "email_id position kind",
    bigint: "email_id position at",
    text: "kind bounce_class category enhanced_code reply source",
  },
  bounce_days: {
    key: "workspace_id address_key category day",
    bigint: "workspace_id day first_at",
    text: "address_key category",
  },
  inbound_endpoints: {
    key: "id",
    bigint: "id workspace_id created_at",
    text: "uuid provider token_digest secret",
  },
  inbound_reports: {
    key: "id",
    bigint: "id workspace_id created_at",
    text: "uuid kind source digest email_id effects raw",
  },
  dedupe_keys: { key: "workspace_id key", bigint: "workspace_id created_at", text: "key email_id" },
  idempotency_keys: {
    key: "api_key_id key",
    bigint: "created_at",
    text: "api_key_id key body_digest answer",
  },
  events: {
    key: "id",
    bigint: "id workspace_id user_id actor_id created_at",
    text: "category type actor_name client_ip message metadata email_id",
  },
  suppressions: {
    key: "id",
    bigint: "id workspace_id created_by created_at expires_at replaced",
    text: "scope address_key domain_key address origin reason email_id",
  },
  campaigns: {
    key: "id",
    bigint:
      "id workspace_id content_id stylesheet_set_id attachment_set_id recipients cursor_position scheduled_at started_at completed_at created_by created_at updated_at look_at forgotten_position forgotten_at next_slot_at paused_ms feeder_until feeder_fence",
    text: "name status paused_reason template template_version_id from_mailbox plan judged_from feeder_worker",
  },
  campaign_recipients: {
    key: "campaign_id position",
    bigint: "campaign_id position",
    text: "name address address_key template_data state reason email_id",
  },
  erasures: {
    key: "id",
    bigint: "id workspace_id emails campaigns events requested_at due_at",
    text: "uuid address address_key erased_as stage cursor_position",
  },
  mail_metrics: {
    key: "workspace_id hour domain metric shard",
    bigint: "workspace_id hour shard total",
    text: "domain metric",
  },
  campaign_counts: { key: "campaign_id counter shard", bigint: "campaign_id shard total", text: "counter" },
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
    text: "uuid event payload status response_body error email_id",
  },
  domains: {
    key: "id",
    bigint:
      "id workspace_id status_since verified_at checked_at next_check_at rotation_told_at created_at updated_at",
    text: "uuid name organisation token status status_reason records return_path return_path_domain tls",
    boolean: "include_subdomains return_path_verified",
  },
  domain_keys: {
    key: "id",
    bigint: "id domain_id created_at activated_at retired_at",
    text: "selector algorithm private_key public_key state",
    boolean: "is_published",
  },
  smtp_servers: {
    key: "id",
    bigint:
      "id workspace_id port priority max_connections max_per_kilosecond max_per_hour version down_until down_since down_times told_at last_error_at health_version created_at updated_at",
    text: "uuid name host security username password from_domains return_path state last_error",
    boolean: "is_default is_active",
  },
  smtp_pacing: { key: "server_id", bigint: "server_id next_at granted" },
  smtp_sent: {
    key: "server_id hour_start worker",
    bigint: "server_id hour_start sent last_at",
    text: "worker",
  },
  loose_contents: { key: "kind id", bigint: "id", text: "kind" },
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
