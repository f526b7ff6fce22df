import type { EntityManager as MikroManager } from "@mikro-orm/postgresql";
import { hostTransaction } from "@posthorn/storage-postgres";
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Knex } from "knex";
import type { ReservedSql, TransactionSql } from "postgres";
import type { EntityManager } from "typeorm";

// What to pass as `transaction` inside a transaction of each library; each keeps the contract of a host's transaction.

/** Inside `db.transaction((tx) => …)`. */
export const ofDrizzle = (tx: Pick<NodePgDatabase, "execute">) =>
  hostTransaction((_text, _values, { strings, values }) =>
    tx.execute(sql(strings, ...values.map((value) => sql.param(value)))),
  );

/** Inside `knex.transaction((trx) => …)`. */
export const ofKnex = (trx: Knex.Transaction) =>
  hostTransaction((_text, _values, { strings, values }) =>
    trx.raw(strings.map((words) => words.replaceAll("?", "\\?")).join("?"), values as Knex.RawBinding[]),
  );

/** Inside `dataSource.transaction((manager) => …)`. */
export const ofTypeOrm = (manager: EntityManager) =>
  hostTransaction((text, values) => manager.query(text, [...values]));

/** Inside `em.transactional((em) => …)`: MikroORM 7 uses Kysely, whose transactions work as they are. */
export const ofMikroOrm = (em: MikroManager) => em.getTransactionContext();

/** Inside `prisma.$transaction((tx) => …)`, with the driver adapter of pg. */
export const ofPrisma = (tx: { $queryRawUnsafe(text: string, ...values: unknown[]): Promise<object[]> }) =>
  hostTransaction((text, values) => tx.$queryRawUnsafe(text, ...values));

/**
 * Inside `sql.begin((sql) => …)`. postgres.js rolls it back after any failed statement, even one of ours that a unique
 * index refused, unless the statement failed in a savepoint that postgres.js knows of.
 */
export const ofPostgresJs = (sql: TransactionSql) =>
  hostTransaction((text, values) =>
    sql.savepoint((inner) => inner.unsafe(text, [...values] as (string | number)[])),
  );

/** On a connection taken by `await sql.reserve()`, between its `begin` and `commit`: half the round trips. */
export const ofReserved = (reserved: Pick<ReservedSql, "unsafe">) =>
  hostTransaction((text, values) => reserved.unsafe(text, [...values] as (string | number)[]));
