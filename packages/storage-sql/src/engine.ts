import type { UsageRequest } from "@posthorn/core/storage";
import type { Expression, Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import type { ValueType } from "./tables/columns.ts";
import type { Database } from "./tables.ts";

/** The database, or a transaction on it. */
export type Handle = Kysely<Database>;

/** The words in which the engines' table definitions differ. */
export interface Ddl {
  /** The name to write for a table, qualified where the engine needs it. */
  table(name: keyof Database): string;
  /** The name to write for an index that is made. */
  index(name: string): string;
  /** Type and constraint of a sequential primary key. */
  id: string;
  /** As `id`, and no number is ever given out twice: for the ids that callers see. */
  lastingId: string;
  /** A whole number of 64 bits. */
  bigint: string;
  /** The type of what is true or false. */
  boolean: string;
  /** The literals of `boolean`. */
  yes: string;
  /** The literal of `boolean` for what is false. */
  no: string;
  /** What ends a table whose rows lie in the order of their composite primary key. */
  clustered: string;
  /** What ends a table whose rows are updated soon after they are written: leaves them room where the engine needs it. */
  updated: string;
  /** Statements that keep the texts of a table's column as they are, where they gain nothing by being packed. */
  unpacked(table: string, column: string): string[];
  /** What ends a table whose rows come and go all the time: has their remains cleared by count, not by share. */
  churned: string;
}

/** What is to be taken of one part of the queue. */
export interface QueueWant {
  /** The route (`w:7`). */
  route: string;
  /** The lane: 0 high, 1 normal, 2 low. */
  lane: number;
  /** The lowest due time that is looked at, ms since the epoch: what is before is known to be gone. */
  since: number;
  /** E-mails at the most. */
  limit: number;
}

/** Where a look begins in a part of the queue. */
export interface QueueStart {
  /** The route (`w:7`). */
  route: string;
  /** The lane: 0 high, 1 normal, 2 low. */
  lane: number;
  /** The lowest due time that is looked at, ms since the epoch. */
  since: number;
}

/** A part of the queue: its lowest due time, and whether its route is held, or comes off a hold. */
export interface QueuePart {
  /** The route (`w:7`). */
  route: string;
  /** The lane: 0 high, 1 normal, 2 low. */
  lane: number;
  /** The lowest due time in it, ms since the epoch. */
  due_at: number;
  /** When the hold of its route ends, ms since the epoch; `null` where it has none or no end is known. */
  parked_until: number | null;
  /** 1 while its route is held, else 0. */
  is_parked: number;
  /** 1 where a hold is over and one mail is to try the server, else 0. */
  is_trial: number;
}

/** An e-mail that waits. */
export interface QueueRow {
  /** The e-mail's row. */
  email_id: number;
  /** The route that it waits on. */
  route: string;
  /** The lane: 0 high, 1 normal, 2 low. */
  lane: number;
  /** When it is due, ms since the epoch. */
  due_at: number;
  /** When it was put into the queue, ms since the epoch. */
  queued_at: number;
  /** Attempts that were made. */
  attempts: number;
  /** Of all that is read of it at its delivery: payload, recipients, metadata. */
  bytes: number;
}

/**
 * What this process holds of quotas: recipients that are charged to a workspace's counters already, and not spent. A transaction that spends
 * of them locks no counter, only rows of this process.
 */
export interface QuotaLeases {
  /**
   * Takes what a lease has room for, of each workspace all or nothing: of which
   * workspaces. The rest is for the counters.
   */
  take(db: Handle, requests: readonly UsageRequest[]): ReadonlySet<number>;
  /** Writes down at the end of the transaction what was taken in it. That fails, in the end, where the lease was recalled or is lost. */
  spend(db: Handle, engine: Engine): Promise<void>;
  /** Tells of what was charged to counters: where that is much, some more is leased meanwhile. */
  want(engine: Engine, requests: readonly UsageRequest[]): void;
  /** Forgets what is held of a workspace, which its counters then have again when they need it. */
  forget(workspaceId: number): void;
  /** After a transaction that failed, in which something may have been taken. */
  forgetAfter(db: Handle): void;
}

/** All in which one SQL engine differs from another. */
export interface Engine {
  /** For messages only: nothing branches on it. */
  name: string;
  /** The schema that the tables lie in, where there is such a thing. */
  schema: string | undefined;
  /** The table's name as the database has it. */
  tableName(name: keyof Database): string;
  /** The option that keeps the tables apart from others' in the same database, for messages. */
  apart: string;
  /** The words of its table definitions, for migrations. */
  ddl: Ddl;
  /** The table's name for `sql` text, qualified where the engine needs it. Query builders need no such help. */
  table(name: keyof Database): RawBuilder<unknown>;
  /** The word of the domain for what a unique index refused; `undefined` for any other error. See `unique-words.ts`. */
  isUniqueViolation(error: unknown): string | undefined;
  /**
   * Which shard of counters is counted in that have no limit: one that no other open transaction counts in, where there is one. 0 is that
   * of limits.
   */
  shard: RawBuilder<number>;
  /** What this process holds of quotas, where several share a database. */
  leases: QuotaLeases | undefined;
  /** Whether the storage can't do its work now: unreachable, full, locked by others. */
  isUnavailable(error: unknown): boolean;
  /** Keeps the rows read from other writers until the transaction ends. */
  forUpdate<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** Keeps the rows read as they are until the transaction ends; others may read them likewise. */
  forShare<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** As `forUpdate`, passing over the rows that another transaction keeps. */
  skipLocked<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** What long work calls between its statements: where the engine works on this thread, a promise for others' turn. */
  pause(): Promise<void> | undefined;
  /**
   * Inserts rows of one shape, in as few statements as the engine does well; not atomic by itself. `types` names the columns, and is
   * compiled once: keep it a constant of the module. Repositories use `bulkInsert`, which knows the columns.
   */
  insertRows(
    db: Handle,
    table: keyof Database,
    types: Readonly<Record<string, ValueType>>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void>;
  /**
   * Of each wanted part of the queue what is due, longest due first, kept from other writers until the transaction ends; what another
   * keeps is passed over.
   */
  takeDue(db: Handle, wants: readonly QueueWant[], now: number): Promise<QueueRow[]>;
  /**
   * The parts of the queue, those of held routes last, each by its lowest due time, at most `limit`. Of routes with starts it is asked for
   * from there on. It costs as much as there are routes, however long the queue of one is, and whatever was in it before.
   */
  findParts(
    db: Handle,
    look: { starts: readonly QueueStart[]; now: number; limit: number },
  ): Promise<QueuePart[]>;
  /**
   * Whether `column` is one of the values, which go as one parameter: the statement's text is the same for any number of them. With
   * the values' type, it is also planned once, without a look at them: for statements of the hot path that an index answers.
   */
  anyOf(
    column: Expression<unknown>,
    values: readonly (number | string)[],
    type?: ValueType,
  ): RawBuilder<SqlBool>;
  /** Values as a table to select from or join with, named `alias`, with the columns of `types`; one parameter or one a column. */
  valuesTable(
    alias: string,
    types: Readonly<Record<string, ValueType>>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): RawBuilder<unknown>;
  /** In a transaction that is about to append events: lets `findEventHorizon` know of it until it ends. */
  markEventWriter(db: Handle): Promise<void>;
  /** The id up to which events may be followed: no transaction still open has appended, or will append, one of a smaller id. */
  findEventHorizon(db: Handle): Promise<number>;
  /** The database's own clock, ms since the epoch. */
  clock: RawBuilder<number>;
  /** Text in ASCII as the driver reads it with the least copies: large strings are freed late. */
  asciiBytes(column: Expression<string>): RawBuilder<string | Uint8Array>;
  /** Text as it compares byte by byte, whatever the database's locale. */
  bytewise(column: Expression<unknown>): RawBuilder<unknown>;
  /** In a transaction: ids for rows to be inserted, ascending, which nobody else gets. */
  takeIds(db: Handle, table: keyof Database, count: number): Promise<number[]>;
  /** Lets `takeIds` have so many at hand, where it would ask the database. Never rejects. */
  reserveIds(db: Handle, table: keyof Database, count: number): Promise<void>;
  /** The last id that the table gave out, also where its row is gone; 0 for none. */
  lastId(db: Handle, table: keyof Database): Promise<number>;
  /** Makes the table give out only ids above this one, and above those it holds. */
  setLastId(db: Handle, table: keyof Database, id: number): Promise<void>;
  /** In the migrating transaction: keeps other migrating processes out until it ends, and makes the schema where there is such a thing. */
  lockMigrations(db: Handle): Promise<void>;
}
