import type { ValueType } from "./tables/columns.ts";
import { columnsOf, type TableName, tables } from "./tables.ts";

/** Tables that only describe the old place of a database that moves. */
type Staying = "schema_migrations" | "workers" | "jobs";

/** The tables that go along when a database moves, each after those it refers to. */
const inOrder = [
  "plans",
  "users",
  "recovery_codes",
  "sessions",
  "email_tokens",
  "guards",
  "stylesheet_sets",
  "workspaces",
  "settings",
  "members",
  "invitations",
  "api_keys",
  "usage",
  "contents",
  "templates",
  "template_versions",
  "stylesheets",
  "blobs",
  "blob_chunks",
  "attachment_sets",
  "attachment_set_items",
  "attachment_handles",
  "blob_uploads",
  "emails",
  "email_payloads",
  "email_outcomes",
  "email_recipients",
  "email_labels",
  "email_queue",
  "claims",
  "claim_items",
  "parked_routes",
  "email_attempts",
  "email_counts",
  "batches",
  "recipient_reports",
  "bounce_days",
  "inbound_endpoints",
  "inbound_reports",
  "dedupe_keys",
  "idempotency_keys",
  "events",
  "suppressions",
  "campaigns",
  "campaign_recipients",
  "erasures",
  "mail_metrics",
  "campaign_counts",
  "webhooks",
  "webhook_deliveries",
  "domains",
  "domain_keys",
  "smtp_servers",
  "smtp_pacing",
  "smtp_sent",
  "loose_contents",
  "facts",
] as const satisfies readonly Exclude<TableName, Staying>[];

/** A table to copy. */
export interface CopiedTable {
  name: (typeof inOrder)[number];
  /** Rows are read in the order of these. */
  key: readonly string[];
  types: Readonly<Record<string, ValueType>>;
}

/** The tables in the order to copy them in. */
export const copiedTables: readonly CopiedTable[] = inOrder.map((name) => ({
  name,
  key: tables[name].key,
  types: columnsOf(name),
}));
