import type { Engine, Handle } from "./engine.ts";
import { type ColumnName, columnsOf, type NewRow, type TableName, tables } from "./tables.ts";

/** Inserts rows of one shape; does nothing if there are none. */
export type BulkInsert<R> = (db: Handle, engine: Engine, rows: readonly R[]) => Promise<void>;

/**
 * Creates the bulk insert of a table. Call it at the top of a module, because its SQL is built once. Columns left out
 * get their schema default; all others are required in each row. Not atomic by itself (see `atomically`).
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

/** Creates the bulk insert of a table whose rows get new ids; it returns those. Call it in a transaction. */
export const numberedInsert = <T extends TableName>(name: T) => {
  const types = columnsOf(name, Object.keys(tables[name].columns) as ColumnName<T>[]);
  return (db: Handle, engine: Engine, rows: readonly Omit<NewRow<T>, "id">[]): Promise<number[]> =>
    engine.insertNumbered(db, name, types, rows);
};
