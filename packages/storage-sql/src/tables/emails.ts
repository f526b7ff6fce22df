import { bigint, flag, id, orNull, table, text, withDefault } from "./columns.ts";

export const emailTables = {
  /** Immutable, except for `scheduled_at` when the e-mail is rescheduled, and for retention and erasure. */
  emails: table({
    id,
    uuid: text,
    /** `null` for the service's own mails. */
    workspace_id: orNull(bigint),
    api_key_id: orNull(text),
    batch_id: orNull(text),
    /** Its position in the submission, from 0. */
    batch_index: orNull(bigint),
    campaign_id: orNull(bigint),
    template: orNull(text),
    template_version_id: orNull(text),
    /** `null` once its contents were removed. */
    content_id: orNull(bigint),
    stylesheet_set_id: orNull(bigint),
    attachment_set_id: orNull(bigint),
    /** The server that it was to be sent through. */
    smtp_server_id: orNull(text),
    from_text: text,
    subject: text,
    /** JSON: the addresses of the `to` recipients. */
    to_addresses: text,
    /** JSON. */
    tags: text,
    /** JSON. */
    metadata: text,
    /** The queue and lane for when it is queued again. */
    route: text,
    lane: bigint,
    created_at: bigint,
    scheduled_at: orNull(bigint),
    deliver_before: orNull(bigint),
    is_sensitive: flag,
    /** JSON of `EmailOrigin`. */
    origin: orNull(text),
  }),

  email_payloads: table(
    {
      email_id: bigint,
      /** Whether it holds a secret, to be removed when the e-mail is settled. */
      is_sealed: flag,
      /** JSON of `EmailPayload`. */
      payload: text,
    },
    ["email_id"],
  ),

  /** Outcomes of e-mails. An e-mail without one is in `email_queue` or in `claim_items`. */
  email_outcomes: table(
    {
      email_id: bigint,
      workspace_id: orNull(bigint),
      status: text,
      settled_at: bigint,
    },
    ["email_id"],
  ),

  email_recipients: table(
    {
      email_id: bigint,
      /** From 0, in order of acceptance. */
      position: bigint,
      workspace_id: orNull(bigint),
      kind: text,
      name: text,
      address: text,
      /** The address in lower case. */
      address_key: text,
      state: text,
      attempts: withDefault(bigint),
      last_code: orNull(bigint),
      last_reply: withDefault(text),
      /** The message's id at the server that accepted it. */
      remote_id: orNull(text),
      /** Since when every attempt has found that its domain does not exist. */
      missing_since: orNull(bigint),
      settled_at: orNull(bigint),
    },
    ["email_id", "position"],
  ),

  /** A tag or metadata entry by which an e-mail is found. */
  email_labels: table(
    {
      email_id: bigint,
      label: text,
      workspace_id: bigint,
    },
    ["email_id", "label"],
  ),

  email_attempts: table(
    {
      email_id: bigint,
      number: bigint,
      started_at: bigint,
      ended_at: orNull(bigint),
      worker: text,
      outcome: text,
      in_doubt: flag,
      reply: text,
      /** The workspace's server that it was sent through. */
      smtp_server_id: orNull(text),
      /** JSON of the attempt's steps. */
      trace: orNull(text),
    },
    ["email_id", "number"],
  ),

  /** Numbers of e-mails in a workspace's log by status, so that a list needs no count. */
  email_counts: table(
    {
      workspace_id: bigint,
      /** `accepted` for each e-mail, and its outcome's status. */
      status: text,
      shard: bigint,
      total: bigint,
    },
    ["workspace_id", "status", "shard"],
  ),

  /** Batches of e-mails that were submitted together. A batch is deleted with its last e-mail. */
  batches: table({
    id,
    uuid: text,
    workspace_id: bigint,
    api_key_id: orNull(text),
    /** Number of e-mails in the submission. */
    total: bigint,
    accepted: bigint,
    /** JSON of the items that became no e-mail, and why. */
    skipped: text,
    created_at: bigint,
  }),

  idempotency_keys: table(
    {
      api_key_id: text,
      key: text,
      body_digest: text,
      answer: text,
      created_at: bigint,
    },
    ["api_key_id", "key"],
  ),

  /** The e-mail that was sent under a key: kept for ever, even after the e-mail is deleted. */
  dedupe_keys: table(
    {
      workspace_id: bigint,
      key: text,
      /** The e-mail's uuid. */
      email_id: text,
      created_at: bigint,
    },
    ["workspace_id", "key"],
  ),
};
