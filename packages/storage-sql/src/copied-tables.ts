import { incompleteCopyFact } from "@posthorn/core/storage";
import type { ValueType } from "./tables/columns.ts";
import { columnsOf, type TableName, tables } from "./tables.ts";

/** Tables that only describe a database's old place and are not copied. */
type Staying = "schema_migrations" | "workers" | "jobs";

/** The tables to copy, each after the tables it refers to. */
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
  "email_hits",
  "bounce_days",
  "inbound_endpoints",
  "inbound_reports",
  "dedupe_keys",
  "idempotency_keys",
  "events",
  "suppressions",
  "list_imports",
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
  "loose_files",
  "facts",
] as const satisfies readonly Exclude<TableName, Staying>[];

/** A table to copy. */
export interface CopiedTable {
  name: (typeof inOrder)[number];
  /** The columns that rows are read in the order of. */
  key: readonly string[];
  types: Readonly<Record<string, ValueType>>;
  /** The keys of rows that only describe their database, and are not copied. */
  staying: readonly string[];
}

/** The tables in copying order. */
export const copiedTables: readonly CopiedTable[] = inOrder.map((name) => ({
  name,
  key: tables[name].key,
  types: columnsOf(name),
  staying: name === "facts" ? ["timeline", "file", incompleteCopyFact] : [],
}));
