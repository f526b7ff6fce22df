import type { Generated } from "kysely";
import type { Flag, Id } from "./columns.ts";

export interface EventsTable {
  id: Id;
  category: string;
  type: string;
  /** No foreign key: that a workspace was deleted stays on record. */
  workspace_id: number | null;
  user_id: number | null;
  actor_id: number | null;
  actor_name: string;
  client_ip: string;
  message: string;
  metadata: string;
  created_at: number;
  /** Of what seldom happens to an e-mail: its uuid. */
  email_id: string | null;
}

export interface WebhooksTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  url: string;
  /** JSON. */
  events: string;
  /** JSON. */
  filters: string;
  is_active: Flag;
  secret: string;
  former_secret: string | null;
  former_secret_until: number | null;
  exhausted_in_a_row: Generated<number>;
  failures_in_a_row: Generated<number>;
  /** Queue time. */
  paused_until: number | null;
  created_at: number;
  updated_at: number;
}

export interface WebhookDeliveriesTable {
  id: Id;
  uuid: string;
  webhook_id: number;
  workspace_id: number;
  event: string;
  payload: string;
  status: string;
  attempts: Generated<number>;
  response_status: number | null;
  response_body: Generated<string>;
  duration_ms: number | null;
  error: Generated<string>;
  /** While pending: when it is due, or while leased when the lease ends. */
  due_at: number | null;
  /** When it was put off or leased, by the clock that `due_at` was reckoned with. */
  queued_at: number;
  /** `null` while no worker has it. */
  lease_until: number | null;
  fence: Generated<number>;
  created_at: number;
  settled_at: number | null;
  /** The uuid of the e-mail that it tells of. */
  email_id: string | null;
}

/** What the database knows of itself. */
export interface FactsTable {
  name: string;
  value: string;
}

export interface SchemaMigrationsTable {
  name: string;
  checksum: string;
  applied_at: number;
}

export interface EventTables {
  events: EventsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  facts: FactsTable;
  schema_migrations: SchemaMigrationsTable;
}
