import { createHash } from "node:crypto";
import { SchemaMismatch } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "./engine.ts";
import { migrations } from "./migrations/index.ts";

const checksumOf = (statements: string[]) =>
  createHash("sha256").update(statements.join(";\n")).digest("hex");

/** Throws where the database was migrated by other code than this. */
const assertSameHistory = (engine: Engine, applied: { name: string; checksum: string }[]) => {
  for (const { name, checksum } of applied) {
    const migration = migrations[name];
    if (!migration) {
      throw new SchemaMismatch(
        `the database has migration ${name}, which this version of Posthorn doesn't know: run a newer version`,
      );
    }
    if (checksumOf(migration(engine.ddl)) !== checksum) {
      throw new SchemaMismatch(`migration ${name} is not the one that was applied to the database`);
    }
  }
};

/**
 * Applies all pending migrations in one transaction, so that a process killed in the middle leaves nothing behind
 * (reliability.md, M7); the engine keeps other processes out meanwhile. The names of those that ran.
 */
export const migrate = (db: Handle, engine: Engine, now: number): Promise<string[]> =>
  db.transaction().execute(async (transaction) => {
    await engine.lockMigrations(transaction);
    const { table, bigint } = engine.ddl;
    await sql
      .raw(
        `create table if not exists ${table("schema_migrations")} (
          name text not null primary key, checksum text not null, applied_at ${bigint} not null)`,
      )
      .execute(transaction);
    const applied = await transaction.selectFrom("schema_migrations").selectAll().execute();
    assertSameHistory(engine, applied);
    const pending = Object.entries(migrations).filter(([name]) => !applied.some((row) => row.name === name));
    for (const [name, migration] of pending) {
      const statements = migration(engine.ddl);
      for (const statement of statements) await sql.raw(statement).execute(transaction);
      await transaction
        .insertInto("schema_migrations")
        .values({ name, checksum: checksumOf(statements), applied_at: now })
        .execute();
    }
    return pending.map(([name]) => name);
  });

/** Every migration with the time it was applied at, oldest first; on a database without any, none was. */
export const listMigrations = async (
  db: Handle,
  engine: Engine,
): Promise<{ name: string; appliedAt: number | undefined; isKnown: boolean }[]> => {
  const exists = (await db.introspection.getTables()).some(
    ({ name, schema }) => name === "schema_migrations" && schema === engine.schema,
  );
  const applied = exists
    ? await db.selectFrom("schema_migrations").selectAll().orderBy("name").execute()
    : [];
  const names = new Set([...applied.map(({ name }) => name), ...Object.keys(migrations)]);
  return [...names].sort().map((name) => {
    const row = applied.find((one) => one.name === name);
    const own = migrations[name];
    const isKnown = own !== undefined && (row === undefined || checksumOf(own(engine.ddl)) === row.checksum);
    return { name, appliedAt: row?.applied_at, isKnown };
  });
};
