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
  hostTransaction((text, values) => {
    const { words, order } = pieces(text, values);
    const chunks = words.flatMap((word, at) => [
      sql.raw(word),
      ...order.slice(at, at + 1).map((value) => sql.param(value)),
    ]);
    return tx.execute(sql.join(chunks));
  });

/** Inside `knex.transaction((trx) => …)`. */
export const ofKnex = (trx: Knex.Transaction) =>
  hostTransaction((text, values) => {
    const { words, order } = pieces(text, values);
    return trx.raw(words.map((word) => word.replaceAll("?", "\\?")).join("?"), order as Knex.RawBinding[]);
  });

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

/** For libraries with placeholders of their own: the SQL between our placeholders, and the values in their order. */
const pieces = (text: string, values: readonly unknown[]) => ({
  words: text.split(/\$\d+/),
  order: [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1]),
});
