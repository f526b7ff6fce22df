import type { Engine, Handle } from "./engine.ts";
import { type ColumnName, columnsOf, type NewRow, type TableName, tables } from "./tables.ts";

/** Inserts rows of one shape, or does nothing where there are none. */
export type BulkInsert<R> = (db: Handle, engine: Engine, rows: readonly R[]) => Promise<void>;

/**
 * Makes the bulk insert of a table; call it at the top of a module, as its text is made once. The columns left out get what the schema
 * gives them; every other is required of each row. Not atomic by itself (see `atomically`).
 */
export const bulkInsert = <T extends TableName, L extends ColumnName<T> = never>(
  name: T,
  leftOut: readonly L[] = [],
): BulkInsert<NewRow<T, Exclude<ColumnName<T>, L>>> => {
  const all = Object.keys(tables[name].columns) as ColumnName<T>[];
  const types = columnsOf(
    name,
    all.filter((column) => !leftOut.includes(column as L)),
  );
  return (db, engine, rows) => engine.insertRows(db, name, types, rows);
};
