import type { Generated } from "kysely";
import type { Flag, Id } from "./columns.ts";

export interface EmailsTable {
  id: Id;
  uuid: string;
  /** `null` for the service's own mails. */
  workspace_id: number | null;
  api_key_id: string | null;
  batch_id: string | null;
  /** `queued` until settled or cancelled; the queue row tells `scheduled` and `sending` from it. */
  status: string;
  template: string | null;
  template_version_id: string | null;
  content_id: number;
  stylesheet_set_id: number | null;
  from_text: string;
  subject: string;
  /** JSON: the addresses of the `to` recipients. */
  to_addresses: string;
  /** JSON. */
  tags: string;
  /** JSON of `EmailPayload`. */
  payload: string;
  created_at: number;
  scheduled_at: number | null;
  sent_at: number | null;
}

export interface EmailRecipientsTable {
  email_id: number;
  /** From 0, in the order of acceptance. */
  position: number;
  workspace_id: number | null;
  kind: string;
  name: string;
  address: string;
  /** The address in lower case. */
  address_key: string;
  state: string;
  attempts: Generated<number>;
  last_code: number | null;
  last_reply: Generated<string>;
  settled_at: number | null;
}

/** One row an unsettled e-mail; removed when it is settled, so that the table stays small. */
export interface EmailQueueTable {
  email_id: number;
  /** When it is due, or while leased when the lease ends: a claim reads one range of one index. */
  due_at: number;
  /** `null` while no worker has it. */
  lease_until: number | null;
  fence: Generated<number>;
  attempts: Generated<number>;
  worker: string | null;
  /** When that worker claimed it: when its attempt began, and what it is due by again if given back. */
  claimed_at: number | null;
}

export interface EmailAttemptsTable {
  email_id: number;
  number: number;
  started_at: number;
  ended_at: number | null;
  worker: string;
  outcome: string;
  in_doubt: Flag;
  reply: string;
}

/** How many e-mails a workspace has in its log, so that an unfiltered list needs no count. */
export interface EmailCountsTable {
  workspace_id: number;
  total: number;
}

export interface IdempotencyKeysTable {
  api_key_id: string;
  key: string;
  body_digest: string;
  answer: string;
  created_at: number;
}

export interface SuppressionsTable {
  workspace_id: number;
  address_key: string;
  address: string;
  reason: string;
  created_at: number;
}

export interface SmtpServersTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  name: string;
  host: string;
  port: number;
  security: string;
  username: string | null;
  /** Sealed. */
  password: string | null;
  /** JSON. */
  from_domains: string;
  is_default: Flag;
  created_at: number;
  updated_at: number;
}

export interface DomainsTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  name: string;
  ownership_token: string;
  dkim_selector: string;
  /** Sealed. */
  dkim_private_key: string;
  dkim_public_key: string;
  verified_at: number | null;
  checked_at: number | null;
  /** JSON: what the last look-up found. */
  check_result: string;
  created_at: number;
  updated_at: number;
}

export interface EmailTables {
  emails: EmailsTable;
  email_recipients: EmailRecipientsTable;
  email_queue: EmailQueueTable;
  email_attempts: EmailAttemptsTable;
  email_counts: EmailCountsTable;
  idempotency_keys: IdempotencyKeysTable;
  suppressions: SuppressionsTable;
  smtp_servers: SmtpServersTable;
  domains: DomainsTable;
}
