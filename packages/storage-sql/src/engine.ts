import type { UsageRequest } from "@posthorn/core/storage";
import type { Expression, Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import type { ValueType } from "./tables/columns.ts";
import type { Database, Row } from "./tables.ts";

/** The database, or a transaction on it. */
export type Handle = Kysely<Database>;

/** The parts of table definitions that differ between engines. */
export interface Ddl {
  /** The table's name, qualified if the engine needs it. */
  table(name: keyof Database): string;
  /** The name for `create index`. */
  index(name: string): string;
  /** Type and constraint of a sequential primary key. */
  id: string;
  /** Like `id`, but a number is never reused: for ids that leave the database. */
  lastingId: string;
  /** A 64-bit integer. */
  bigint: string;
  /** The type of a text that is compared by its bytes, so that an index finds those that begin alike. */
  bytewise: string;
  /** The boolean type. */
  boolean: string;
  /** Its literal for true. */
  yes: string;
  /** Its literal for false. */
  no: string;
  /** End of the definition of a table whose rows are stored in the order of their composite primary key. */
  clustered: string;
  /** End of the definition of a table whose rows are updated soon after their insert: leaves room on each page. */
  updated: string;
  /** Statements that turn off compression of a text column that does not benefit from it. */
  unpacked(table: string, column: string): string[];
  /**
   * End of the definition of a table with constant inserts and deletes: dead rows are vacuumed by count rather than by
   * share.
   */
  churned: string;
}

/** Starting point for a look at a part of the queue. */
export interface QueueStart {
  /** The route (`w:7`). */
  route: string;
  /** The lane: 0 high, 1 normal, 2 low. */
  lane: number;
  /** The lowest due time to look at, ms since the epoch: nothing earlier is left. */
  since: number;
}

/** Request for e-mails from one part of the queue. */
export interface QueueWant extends QueueStart {
  /** Maximum number of e-mails. */
  limit: number;
}

/** A part of the queue: its lowest due time, and whether its route is held or its hold has just ended. */
export interface QueuePart {
  /** The route (`w:7`). */
  route: string;
  /** The lane: 0 high, 1 normal, 2 low. */
  lane: number;
  /** The lowest due time in it, ms since the epoch. */
  due_at: number;
  /** When the hold of its route ends, ms since the epoch; `null` if there is no hold, or no known end. */
  parked_until: number | null;
  /** 1 while its route is held, else 0. */
  is_parked: number;
  /** 1 if a hold is over and a single mail is to test the server, else 0. */
  is_trial: number;
}

/** A waiting e-mail. */
export interface QueueRow {
  /** The e-mail's row. */
  email_id: number;
  /** The route that it waits for. */
  route: string;
  /** The lane: 0 high, 1 normal, 2 low. */
  lane: number;
  /** When it is due, ms since the epoch. */
  due_at: number;
  /** When it was queued, ms since the epoch. */
  queued_at: number;
  /** Attempts made so far. */
  attempts: number;
  /** Bytes that are read to deliver it: payload, recipients, metadata. */
  bytes: number;
}

/** A claim of due e-mails. */
export interface QueueClaim {
  /** The parts of the queue to take from. */
  wants: readonly QueueWant[];
  /** The queue's time, ms since the epoch. */
  now: number;
  /** When the claim's lease ends, ms since the epoch. */
  until: number;
  /** The worker's name. */
  worker: string;
  /** Maximum bytes of all e-mails together; the first is taken whatever its size. */
  maxBytes: number;
}

/** A claimed e-mail: its row of the queue, of `emails` with the hashes of what it refers to, and its recipients. */
export interface ClaimedRow {
  /** The claim's id, which is its fencing token. */
  claimId: number;
  /** Its row of the queue, which is deleted. */
  item: QueueRow;
  /** Its row of the log. */
  email: Row<"emails"> & { content_hash: string | null; set_hash: string | null };
  /** In order of acceptance. */
  recipients: readonly Row<"email_recipients">[];
  /** Whether an erasure still looks for its person's e-mails, which may be this one. */
  mayBeErased: boolean;
}

/** Names an e-mail's row in `claim_items`. */
export type ItemKey = Pick<Row<"claim_items">, "email_id" | "claim_id">;

/** An e-mail taken from its claim, and how many that claim has left. */
export type TakenItem = Row<"claim_items"> & { left: number };

/**
 * This process's quota leases: recipients charged to a workspace's counters in advance. A transaction that spends from one
 * locks only rows of this process, no counter.
 */
export interface QuotaLeases {
  /**
   * Takes from leases what they have room for, for each workspace all or nothing; returns those workspaces. The rest must
   * be charged to the counters.
   */
  take(db: Handle, requests: readonly UsageRequest[]): ReadonlySet<number>;
  /** Writes at the end of the transaction what it took. This fails if a lease was recalled or lost meanwhile. */
  spend(db: Handle, engine: Engine): Promise<void>;
  /** Reports what was charged to counters: if it was much, the process acquires a lease in the background. */
  want(engine: Engine, requests: readonly UsageRequest[]): void;
  /** Leases room for a large request before the transaction that takes it; returns whether there is any. */
  setAside(engine: Engine, request: UsageRequest): Promise<boolean>;
  /** Forgets the lease of a workspace; the counters recall it when they need it. */
  forget(workspaceId: number): void;
  /** Forgets leases from which a failed transaction may have taken. */
  forgetAfter(db: Handle): void;
}

/** Adds what locks the rows that a query selects. */
type Locking = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
) => SelectQueryBuilder<DB, TB, O>;

/** Everything in which SQL engines differ. */
export interface Engine {
  /** For messages only: no code branches on it. */
  name: string;
  /** The tables' schema, if the engine has schemas. */
  schema: string | undefined;
  /** The table's name in the database. */
  tableName(name: keyof Database): string;
  /** Names, for messages, the option that separates the tables from others in the same database. */
  apart: string;
  /** Its parts of table definitions, for migrations. */
  ddl: Ddl;
  /** The table's name for `sql` text, qualified if the engine needs it. Query builders qualify names themselves. */
  table(name: keyof Database): RawBuilder<unknown>;
  /** The domain's word for a unique violation; `undefined` for any other error. See `unique-words.ts`. */
  isUniqueViolation(error: unknown): string | undefined;
  /** Shard for counters without a limit, where no other open transaction counts if possible. `rows`: the parameter. */
  shard(rows: unknown): RawBuilder<number>;
  /** Once it changes, what is updated again and again goes on in new rows; not 0 while old versions are kept. */
  turn(): number;
  /** This process's quota leases, if several processes share a database. */
  leases: QuotaLeases | undefined;
  /** Whether the error means that the storage can't work now: unreachable, full, or locked by others. */
  isUnavailable(error: unknown): boolean;
  /** Whether such an error comes back at every try, until what is set up is changed. Default: never. */
  isFinal?(error: unknown): boolean;
  /** Locks the selected rows against other writers until the transaction ends. */
  forUpdate: Locking;
  /** Locks the selected rows against changes until the transaction ends; others may lock them likewise. */
  forShare: Locking;
  /** Locks the selected rows against deletion alone until the transaction ends, as new rows with a foreign key do. */
  forReference: Locking;
  /** Like `forUpdate`, but also waits for transactions whose new rows refer to the selected ones, and holds up others. */
  forRemoval: Locking;
  /** Like `forUpdate`, but skips rows that another transaction has locked. */
  skipLocked: Locking;
  /** Like `forUpdate`, but skips rows that another transaction changes. */
  forFreeUpdate: Locking;
  /**
   * Call it between the statements of long work: an engine that works on this thread returns a promise that lets others
   * run.
   */
  pause(): Promise<void> | undefined;
  /**
   * Inserts rows of one shape, in as few statements as suits the engine; not atomic by itself. `types` names the
   * columns, and is compiled once: keep it a constant of the module. Repositories use `bulkInsert`, which knows the
   * columns.
   */
  insertRows(
    db: Handle,
    table: keyof Database,
    types: Readonly<Record<string, ValueType>>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void>;
  /**
   * In a transaction: like `insertRows`, for rows that get ascending ids; returns those. `types` has the column `id`, the
   * rows don't.
   */
  insertNumbered(
    db: Handle,
    table: keyof Database,
    types: Readonly<Record<string, ValueType>>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<number[]>;
  /**
   * Moves due e-mails of each wanted part of the queue into a claim, longest due first, all or none. Rows that another
   * transaction has locked are skipped, and rows without an e-mail are dropped.
   */
  claimDue(db: Handle, claim: QueueClaim): Promise<ClaimedRow[]>;
  /** In a transaction: takes e-mails from the claims that still hold them, and counts them off there. */
  takeItems(db: Handle, keys: readonly ItemKey[]): Promise<TakenItem[]>;
  /**
   * Lists the parts of the queue by their lowest due time, those of held routes last, at most `limit`. For a route with
   * a start it looks from there on, or earlier. The cost depends on the number of routes, not on the length of their
   * queues; on rows deleted earlier only while PostgreSQL can't remove these.
   */
  findParts(
    db: Handle,
    look: { starts: readonly QueueStart[]; now: number; limit: number },
  ): Promise<QueuePart[]>;
  /**
   * Tests whether `column` is one of the values. They go as one parameter, so that the statement's text is the same for
   * any number. If the values' type is given, the plan does not depend on them either: for hot statements that use an
   * index.
   */
  anyOf(
    column: Expression<unknown>,
    values: readonly (number | string)[],
    type?: ValueType,
  ): RawBuilder<SqlBool>;
  /**
   * Tests whether `column` is one of the values: if the engine has it, hot statements use it instead of `anyOf` for a list
   * of up to four.
   */
  isOneOf?(column: Expression<unknown>, values: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool>;
  /**
   * The value, hidden from the planner if the engine otherwise plans a statement anew whenever it is executed with such a
   * value: SQLite does so for a limit.
   */
  unseen(value: unknown): RawBuilder<unknown>;
  /**
   * The values as a table `alias` to select from, with the columns of `types`; sent as one parameter, or one per column.
   */
  valuesTable(
    alias: string,
    types: Readonly<Record<string, ValueType>>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): RawBuilder<unknown>;
  /** The same as `valuesTable` for that many rows, if the engine has a cheaper form for few. */
  fewRows?(
    alias: string,
    types: Readonly<Record<string, ValueType>>,
    rows: readonly Readonly<Record<string, unknown>>[],
    count: number,
  ): RawBuilder<unknown>;
  /** `valuesTable` for rows with the same values in the columns whose bits `shared` has: with all bits, a single row. */
  sharingTable?(
    alias: string,
    types: Readonly<Record<string, ValueType>>,
    rows: readonly Readonly<Record<string, unknown>>[],
    shared: number,
  ): RawBuilder<unknown>;
  /** Like `valuesTable`, for finding rows of another table: their index is used, however few rows it has. */
  valuesToFind: Engine["valuesTable"];
  /**
   * The id up to which events can be read safely: no open transaction has appended, or will append, an event with a
   * smaller id. `insertRows` of events sees to it.
   */
  findEventHorizon(db: Handle): Promise<number>;
  /** The database's own clock, ms since the epoch. */
  clock: RawBuilder<number>;
  /** Reads ASCII text in the form that the driver copies least: large strings are freed late. */
  asciiBytes(column: Expression<string>): RawBuilder<string | Uint8Array>;
  /** Text that compares byte by byte, whatever the database's locale. */
  bytewise(column: Expression<unknown>): RawBuilder<unknown>;
  /** Fetches that many ids in advance, if `insertNumbered` would have to ask the database. Never rejects. */
  reserveIds(db: Handle, table: keyof Database, count: number): Promise<void>;
  /** The last id that the table assigned, even if its row was deleted; 0 for none. */
  lastId(db: Handle, table: keyof Database): Promise<number>;
  /** Makes the table assign only ids above this one, and above those of its rows. */
  setLastId(db: Handle, table: keyof Database, id: number): Promise<void>;
  /** The columns of all tables and views in the engine's schema, or in its database if it has no schemas. */
  listColumns(db: Handle): Promise<{ table: string; column: string }[]>;
  /** In the migrating transaction: locks out other processes until it ends, and creates the schema, if there are any. */
  lockMigrations(db: Handle): Promise<void>;
}
