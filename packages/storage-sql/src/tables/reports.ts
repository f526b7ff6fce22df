import { bigint, flag, id, orNull, table, text } from "./columns.ts";

export const reportTables = {
  /** Endpoints that relays' webhooks post to. */
  inbound_endpoints: table({
    id,
    uuid: text,
    workspace_id: bigint,
    provider: text,
    /** SHA-256 of the secret part of its path. */
    token_digest: text,
    /** Sealed; `null` if the provider's own certificate is verified instead. */
    secret: orNull(text),
    created_at: bigint,
  }),

  /** Reports about a recipient: one of each kind. */
  recipient_reports: table(
    {
      email_id: bigint,
      position: bigint,
      kind: text,
      bounce_class: text,
      category: text,
      enhanced_code: orNull(text),
      reply: text,
      source: text,
      is_believed: flag,
      at: bigint,
    },
    ["email_id", "position", "kind"],
  ),

  /** Days on which an address had a bounce that counts only if repeated. */
  bounce_days: table(
    {
      workspace_id: bigint,
      address_key: text,
      category: text,
      /** Days since the epoch. */
      day: bigint,
      first_at: bigint,
    },
    ["workspace_id", "address_key", "category", "day"],
  ),

  /** Returned messages, kept for a few days. */
  inbound_reports: table({
    id,
    uuid: text,
    workspace_id: bigint,
    kind: text,
    source: text,
    /** SHA-256 of the message. */
    digest: text,
    /** The e-mail's uuid. */
    email_id: orNull(text),
    /** JSON of `InboundEffect[]`. */
    effects: text,
    /** Base64. */
    raw: text,
    created_at: bigint,
  }),
};
