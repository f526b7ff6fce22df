import type { Generated } from "kysely";
import type { Flag, Id } from "./columns.ts";

/** Never changed once it is written, but for `scheduled_at` by whoever puts the e-mail off, and by retention and erasure. */
export interface EmailsTable {
  id: Id;
  uuid: string;
  /** `null` for the service's own mails. */
  workspace_id: number | null;
  api_key_id: string | null;
  batch_id: string | null;
  /** Its place in what was asked for, from 0. */
  batch_index: number | null;
  campaign_id: number | null;
  template: string | null;
  template_version_id: string | null;
  /** `null` once what it said was removed. */
  content_id: number | null;
  stylesheet_set_id: number | null;
  attachment_set_id: number | null;
  /** The server that it was to go through. */
  smtp_server_id: string | null;
  from_text: string;
  subject: string;
  /** JSON: the addresses of the `to` recipients. */
  to_addresses: string;
  /** JSON. */
  tags: string;
  /** JSON. */
  metadata: string;
  /** Where it waits, and how urgently: as in the queue, for when it is put back there. */
  route: string;
  lane: number;
  created_at: number;
  scheduled_at: number | null;
  deliver_before: number | null;
  is_sensitive: Flag;
  /** JSON of `EmailOrigin`. */
  origin: string | null;
}

export interface EmailPayloadsTable {
  email_id: number;
  /** Whether it holds a secret, to be forgotten when the e-mail is settled. */
  is_sealed: Flag;
  /** JSON of `EmailPayload`. */
  payload: string;
}

/** What became of an e-mail. One without waits in `email_queue`, or is in `claim_items`. */
export interface EmailOutcomesTable {
  email_id: number;
  workspace_id: number | null;
  status: string;
  settled_at: number;
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
  /** What the server that took it calls the message. */
  remote_id: string | null;
  /** Since when each answer about it was that its domain does not exist. */
  missing_since: number | null;
  settled_at: number | null;
}

/** A tag or an entry of the metadata, by which an e-mail is found. */
export interface EmailLabelsTable {
  email_id: number;
  label: string;
  workspace_id: number;
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
  /** The workspace's server that it was handed to. */
  smtp_server_id: string | null;
  /** JSON of what it went through. */
  trace: string | null;
}

/** How many e-mails a workspace has in its log, and of which status, so that a list needs no count. */
export interface EmailCountsTable {
  workspace_id: number;
  /** `accepted` for each, and that of its outcome. */
  status: string;
  shard: number;
  total: number;
}

/** E-mails that were asked for together. It goes with the last of them. */
export interface BatchesTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  api_key_id: string | null;
  /** E-mails that were asked for, and how many of them there are. */
  total: number;
  accepted: number;
  /** JSON: what was asked for and is no e-mail, and why. */
  skipped: string;
  created_at: number;
}

export interface IdempotencyKeysTable {
  api_key_id: string;
  key: string;
  body_digest: string;
  answer: string;
  created_at: number;
}

/** The e-mail that was sent under a key: kept for ever, also where the e-mail is not. */
export interface DedupeKeysTable {
  workspace_id: number;
  key: string;
  /** The e-mail's uuid. */
  email_id: string;
  created_at: number;
}

export interface EmailTables {
  emails: EmailsTable;
  email_payloads: EmailPayloadsTable;
  email_outcomes: EmailOutcomesTable;
  email_recipients: EmailRecipientsTable;
  email_labels: EmailLabelsTable;
  email_attempts: EmailAttemptsTable;
  email_counts: EmailCountsTable;
  batches: BatchesTable;
  idempotency_keys: IdempotencyKeysTable;
  dedupe_keys: DedupeKeysTable;
}
