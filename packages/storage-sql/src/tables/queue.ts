import { bigint, id, orNull, table, text, withDefault } from "./columns.ts";

const waiting = {
  email_id: bigint,
  route: text,
  /** 0 high, 1 normal, 2 low. */
  lane: bigint,
  /** Queue time, as all times here: the database's clock, ms since the epoch. */
  due_at: bigint,
  queued_at: bigint,
  /** Attempts made; in `claim_items` without the current one. */
  attempts: bigint,
  /** Bytes that a worker reads: payload, recipients, metadata. */
  bytes: bigint,
};

export const queueTables = {
  /** One row per waiting e-mail. */
  email_queue: table(
    {
      ...waiting,
      attempts: withDefault(bigint),
    },
    ["email_id"],
  ),

  /** One row per claimed batch. */
  claims: table({
    id,
    worker: text,
    claimed_at: bigint,
    renewed_at: bigint,
    /** The same as `renewed_at` once e-mails were taken back: others of it were locked, and it is never renewed again. */
    until: bigint,
    /** Number of its e-mails that are still in `claim_items`. */
    items: bigint,
  }),

  /** One row per claimed e-mail. */
  claim_items: table(
    {
      ...waiting,
      claim_id: bigint,
    },
    ["email_id"],
  ),

  /** One row per held route and owner of a hold. `*` holds all. */
  parked_routes: table(
    {
      route: text,
      owner: text,
      parked_at: bigint,
      /** `null`: until the hold is removed. */
      parked_until: orNull(bigint),
      reason: text,
    },
    ["route", "owner"],
  ),

  workers: table(
    {
      worker: text,
      seen_at: bigint,
    },
    ["worker"],
  ),

  /** Owners of the jobs that one process at a time does. */
  jobs: table(
    {
      name: text,
      worker: text,
      until: bigint,
    },
    ["name"],
  ),

  /** Contents (`content`) and stylesheet sets (`set`) that lost a reference, for pruning to check. */
  loose_contents: table({
    id,
    kind: text,
    /** The content's or set's. */
    row_id: bigint,
  }),
};
