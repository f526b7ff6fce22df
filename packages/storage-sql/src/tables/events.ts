import { bigint, flag, id, orNull, table, text, withDefault } from "./columns.ts";

export const eventTables = {
  events: table({
    id,
    category: text,
    type: text,
    /** No foreign key: the deletion of a workspace stays on record. */
    workspace_id: orNull(bigint),
    user_id: orNull(bigint),
    actor_id: orNull(bigint),
    actor_name: text,
    client_ip: text,
    message: text,
    metadata: text,
    created_at: bigint,
    /** The e-mail's uuid, only for rare events of it. */
    email_id: orNull(text),
  }),

  webhooks: table({
    id,
    uuid: text,
    workspace_id: bigint,
    url: text,
    /** JSON. */
    events: text,
    /** JSON. */
    filters: text,
    is_active: flag,
    secret: text,
    former_secret: orNull(text),
    former_secret_until: orNull(bigint),
    exhausted_in_a_row: withDefault(bigint),
    failures_in_a_row: withDefault(bigint),
    /** Of its last failed attempt. */
    last_error: withDefault(text),
    pace: withDefault(bigint),
    /** Queue time. */
    paused_until: orNull(bigint),
    created_at: bigint,
    updated_at: bigint,
  }),

  webhook_deliveries: table({
    id,
    uuid: text,
    webhook_id: bigint,
    workspace_id: bigint,
    event: text,
    payload: text,
    status: text,
    attempts: withDefault(bigint),
    response_status: orNull(bigint),
    response_body: withDefault(text),
    duration_ms: orNull(bigint),
    error: withDefault(text),
    /** While pending: when it is due, or when the lease ends while it is leased. */
    due_at: orNull(bigint),
    /** When it was delayed or leased, by the clock that computed `due_at`. */
    queued_at: bigint,
    /** `null` unless a worker has it. */
    lease_until: orNull(bigint),
    fence: withDefault(bigint),
    created_at: bigint,
    settled_at: orNull(bigint),
    /** The uuid of the e-mail that it is about. */
    email_id: orNull(text),
    /** The fence at its last erasure: whoever held it then has sent what was erased, and the answer may repeat it. */
    erased_fence: withDefault(orNull(bigint)),
  }),

  /** Facts about the database itself. */
  facts: table(
    {
      name: text,
      value: text,
    },
    ["name"],
  ),

  schema_migrations: table(
    {
      name: text,
      checksum: text,
      applied_at: bigint,
    },
    ["name"],
  ),
};
