import type { Storage } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, test } from "vitest";
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
