import type { Storage } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { copiedTables } from "../../storage-sql/src/copied-tables.ts";
import type { Columns } from "../../storage-sql/src/tables/columns.ts";
import { type TableName, tables } from "../../storage-sql/src/tables.ts";
import { openTestPostgres } from "./open-test-storage.ts";

async function openSqlite(): Promise<Storage> {
  const storage = await createSqliteStorage({ filename: ":memory:" });
  await storage.migrate();
  return storage;
}

const engines = {
  SQLite: { open: openSqlite, types: { bigint: "INTEGER", boolean: "INTEGER", text: "TEXT" } },
  PostgreSQL: { open: openTestPostgres, types: { bigint: "int8", boolean: "bool", text: "text" } },
};

test.for(Object.keys(engines) as (keyof typeof engines)[])(
  "every table has the columns that the code writes and reads: %s",
  async (name) => {
    const { open, types } = engines[name];
    const storage = await open();
    const { db, engine } = sideOf(storage);
    const made = await db.introspection.getTables();
    await storage.close();
    for (const table of Object.keys(tables) as TableName[]) {
      const { key, columns }: { key: readonly string[]; columns: Columns } = tables[table];
      const found = made.find((one) => one.name === engine.tableName(table))?.columns ?? [];
      const inSchema = found.map((column) => [
        column.name,
        column.dataType,
        // A primary key need not be declared as not null.
        key.includes(column.name) ? "key" : column.isNullable,
        // An insert may give a value that the schema has a default for.
        columns[column.name]?.hasDefault === true &&
          (column.isNullable || column.hasDefaultValue || column.isAutoIncrementing),
      ]);
      const inCode = Object.entries(columns).map(([column, { type, isNullable, hasDefault }]) => [
        column,
        types[type],
        key.includes(column) ? "key" : isNullable,
        hasDefault,
      ]);
      expect([table, inSchema.sort()]).toEqual([table, inCode.sort()]);
    }
  },
);

test("the texts of keys are in the order of their bytes, in which a copy reads piece by piece from the index", async () => {
  const storage = await openTestPostgres();
  onTestFinished(() => storage.close());
  const { db, engine } = sideOf(storage);
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = ${engine.schema} and collation_name = 'C'`.execute(db);
  const bytewise = new Set(rows.map(({ name }) => name));
  const keys = copiedTables.flatMap(({ name, key, types }) =>
    key.filter((column) => types[column] === "text").map((column) => `${name}.${column}`),
  );
  expect(keys).toContain("idempotency_keys.key");
  // Of others, each piece would read and sort the whole table.
  expect(keys.filter((name) => !bytewise.has(name))).toEqual([]);
});
