import { createHash } from "node:crypto";
import { SchemaMismatch, StorageUnsuited } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "./engine.ts";
import { migrations } from "./migrations/index.ts";
import { tableNames } from "./table-names.ts";

const checksumOf = (statements: string[]) =>
  createHash("sha256").update(statements.join(";\n")).digest("hex");

/** Throws if the database was migrated by different code. */
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

/** In some engines, index names are shared by the whole database; these must not collide with others'. */
const withIndexNames = (engine: Engine, statement: string): string =>
  statement.replace(
    /^(create (?:unique )?index )(\w+)/,
    (_, words: string, name: string) => words + engine.ddl.index(name),
  );

/**
 * Whether there is a table of migrations. Throws, before anything is changed, if a table with one of our names belongs
 * to another program: nothing was migrated but the table exists, or the table of migrations has another format.
 */
const isBegun = async (db: Handle, engine: Engine): Promise<boolean> => {
  const names = new Set([...tableNames()].map((name) => engine.tableName(name).toLowerCase()));
  const found = (await engine.listColumns(db)).filter(({ table }) => names.has(table.toLowerCase()));
  const records = found.filter(
    ({ table }) => table.toLowerCase() === engine.tableName("schema_migrations").toLowerCase(),
  );
  const isOurs = ["name", "checksum", "applied_at"].every((name) =>
    records.some(({ column }) => column === name),
  );
  const strange = records.length === 0 ? found[0] : isOurs ? undefined : records[0];
  if (strange !== undefined)
    throw new StorageUnsuited(
      `the database has a table ${strange.table} that is not Posthorn's: use another database, or another ${engine.apart}. If it was Posthorn's, and a tool has dropped tables beside it, restore a backup`,
    );
  return records.length > 0;
};

/**
 * Applies all pending migrations in one transaction, so that a process killed in the middle leaves nothing behind
 * (reliability.md, M7). The engine locks out other processes meanwhile. Returns the names of the migrations that ran.
 */
export const migrate = (db: Handle, engine: Engine, now: number): Promise<string[]> =>
  db.transaction().execute(async (transaction) => {
    await engine.lockMigrations(transaction);
    const { table, bigint } = engine.ddl;
    // `if not exists` needs the right to create tables even if it exists: a service may run with fewer rights.
    if (!(await isBegun(transaction, engine)))
      await sql
        .raw(
          `create table ${table("schema_migrations")} (
          name text not null primary key, checksum text not null, applied_at ${bigint} not null)`,
        )
        .execute(transaction);
    const applied = await transaction.selectFrom("schema_migrations").selectAll().execute();
    assertSameHistory(engine, applied);
    const pending = Object.entries(migrations).filter(([name]) => !applied.some((row) => row.name === name));
    for (const [name, migration] of pending) {
      const statements = migration(engine.ddl);
      for (const statement of statements)
        await sql.raw(withIndexNames(engine, statement)).execute(transaction);
      await transaction
        .insertInto("schema_migrations")
        .values({ name, checksum: checksumOf(statements), applied_at: now })
        .execute();
    }
    return pending.map(([name]) => name);
  });

/** Every migration with the time it was applied, oldest first; no times on a database without tables. */
export const listMigrations = async (
  db: Handle,
  engine: Engine,
): Promise<{ name: string; appliedAt: number | undefined; isKnown: boolean }[]> => {
  const exists = (await engine.listColumns(db)).some(
    ({ table }) => table === engine.tableName("schema_migrations"),
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
