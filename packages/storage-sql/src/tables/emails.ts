import { bigint, flag, id, orNull, table, text, withDefault } from "./columns.ts";

export const emailTables = {
  /** Never changed once it is written, but for `scheduled_at` by whoever puts the e-mail off, and by retention and erasure. */
  emails: table({
    id,
    uuid: text,
    /** `null` for the service's own mails. */
    workspace_id: orNull(bigint),
    api_key_id: orNull(text),
    batch_id: orNull(text),
    /** Its place in what was asked for, from 0. */
    batch_index: orNull(bigint),
    campaign_id: orNull(bigint),
    template: orNull(text),
    template_version_id: orNull(text),
    /** `null` once what it said was removed. */
    content_id: orNull(bigint),
    stylesheet_set_id: orNull(bigint),
    attachment_set_id: orNull(bigint),
    /** The server that it was to go through. */
    smtp_server_id: orNull(text),
    from_text: text,
    subject: text,
    /** JSON: the addresses of the `to` recipients. */
    to_addresses: text,
    /** JSON. */
    tags: text,
    /** JSON. */
    metadata: text,
    /** Where it waits, and how urgently: as in the queue, for when it is put back there. */
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
      /** Whether it holds a secret, to be forgotten when the e-mail is settled. */
      is_sealed: flag,
      /** JSON of `EmailPayload`. */
      payload: text,
    },
    ["email_id"],
  ),

  /** What became of an e-mail. One without waits in `email_queue`, or is in `claim_items`. */
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
      /** From 0, in the order of acceptance. */
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
      /** What the server that took it calls the message. */
      remote_id: orNull(text),
      /** Since when each answer about it was that its domain does not exist. */
      missing_since: orNull(bigint),
      settled_at: orNull(bigint),
    },
    ["email_id", "position"],
  ),

  /** A tag or an entry of the metadata, by which an e-mail is found. */
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
      /** The workspace's server that it was handed to. */
      smtp_server_id: orNull(text),
      /** JSON of what it went through. */
      trace: orNull(text),
    },
    ["email_id", "number"],
  ),

  /** How many e-mails a workspace has in its log, and of which status, so that a list needs no count. */
  email_counts: table(
    {
      workspace_id: bigint,
      /** `accepted` for each, and that of its outcome. */
      status: text,
      shard: bigint,
      total: bigint,
    },
    ["workspace_id", "status", "shard"],
  ),

  /** E-mails that were asked for together. It goes with the last of them. */
  batches: table({
    id,
    uuid: text,
    workspace_id: bigint,
    api_key_id: orNull(text),
    /** E-mails that were asked for, and how many of them there are. */
    total: bigint,
    accepted: bigint,
    /** JSON: what was asked for and is no e-mail, and why. */
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

  /** The e-mail that was sent under a key: kept for ever, also where the e-mail is not. */
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
