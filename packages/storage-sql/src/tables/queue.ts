import { bigint, id, orNull, table, text, withDefault } from "./columns.ts";

const waiting = {
  email_id: bigint,
  route: text,
  /** 0 high, 1 normal, 2 low. */
  lane: bigint,
  /** Queue time, as all times here: the database's clock, ms since the epoch. */
  due_at: bigint,
  queued_at: bigint,
  /** Attempts made; in `claim_items` the one under way is not counted. */
  attempts: bigint,
  /** That a worker reads of it: payload, recipients, metadata. */
  bytes: bigint,
};

export const queueTables = {
  /** One row an e-mail that waits. */
  email_queue: table(
    {
      ...waiting,
      attempts: withDefault(bigint),
    },
    ["email_id"],
  ),

  /** One row a batch in a worker's hands. */
  claims: table({
    id,
    worker: text,
    claimed_at: bigint,
    renewed_at: bigint,
    until: bigint,
    /** How many of its e-mails are still in `claim_items`. */
    items: bigint,
  }),

  /** One row an e-mail in a worker's hands. */
  claim_items: table(
    {
      ...waiting,
      claim_id: bigint,
    },
    ["email_id"],
  ),

  /** One row a route that is held. `*` holds all. */
  parked_routes: table(
    {
      route: text,
      parked_at: bigint,
      /** `null`: until it is taken off. */
      parked_until: orNull(bigint),
      reason: text,
    },
    ["route"],
  ),

  workers: table(
    {
      worker: text,
      seen_at: bigint,
    },
    ["worker"],
  ),

  /** Who does what one process at a time does. */
  jobs: table(
    {
      name: text,
      worker: text,
      until: bigint,
    },
    ["name"],
  ),

  /** Contents (`content`) and stylesheet sets (`set`) that lost a reference, to be looked at by pruning. */
  loose_contents: table(
    {
      kind: text,
      id: bigint,
    },
    ["kind", "id"],
  ),
};
