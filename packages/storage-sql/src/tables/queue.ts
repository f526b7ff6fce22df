import type { Generated } from "kysely";
import type { Id } from "./columns.ts";

interface Waiting {
  email_id: number;
  route: string;
  /** 0 high, 1 normal, 2 low. */
  lane: number;
  /** Queue time, as all times here: the database's clock, ms since the epoch. */
  due_at: number;
  queued_at: number;
  /** Attempts made; in `claim_items` the one under way is not counted. */
  attempts: number;
  /** That a worker reads of it: payload, recipients, metadata. */
  bytes: number;
}

/** One row an e-mail that waits. */
export interface EmailQueueTable extends Omit<Waiting, "attempts"> {
  attempts: Generated<number>;
}

/** One row a batch in a worker's hands. */
export interface ClaimsTable {
  id: Id;
  worker: string;
  claimed_at: number;
  renewed_at: number;
  until: number;
  /** How many of its e-mails are still in `claim_items`. */
  items: number;
}

/** One row an e-mail in a worker's hands. */
export interface ClaimItemsTable extends Waiting {
  claim_id: number;
}

/** One row a route that is held. `*` holds all. */
export interface ParkedRoutesTable {
  route: string;
  parked_at: number;
  /** `null`: until it is taken off. */
  parked_until: number | null;
  reason: string;
}

export interface WorkersTable {
  worker: string;
  seen_at: number;
}

/** Who does what one process at a time does. */
export interface JobsTable {
  name: string;
  worker: string;
  until: number;
}

/** Contents (`content`) and stylesheet sets (`set`) that lost a reference, to be looked at by pruning. */
export interface LooseContentsTable {
  kind: string;
  id: number;
}

export interface QueueTables {
  email_queue: EmailQueueTable;
  claims: ClaimsTable;
  claim_items: ClaimItemsTable;
  parked_routes: ParkedRoutesTable;
  workers: WorkersTable;
  jobs: JobsTable;
  loose_contents: LooseContentsTable;
}
