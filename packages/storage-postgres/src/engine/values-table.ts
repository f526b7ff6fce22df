import { type Engine, madeOf, type ValueType } from "@posthorn/storage-sql";
import { type RawBuilder, sql } from "kysely";

type Types = Readonly<Record<string, ValueType>>;
type Row = Readonly<Record<string, unknown>>;

/** The rows' values of a column. */
export const columnOf = (rows: readonly Row[], column: string) => rows.map((row) => row[column] ?? null);

const unnested = (types: Types, rows: readonly Row[]): RawBuilder<unknown> => {
  const lists = Object.entries(types).map(
    ([column, type]) => sql`${sql.val(madeOf(rows, (given) => columnOf(given, column)))}::${sql.raw(type)}[]`,
  );
  return sql`unnest(${sql.join(lists)})`;
};

const namedColumns = (alias: string, types: Types): RawBuilder<unknown> =>
  sql`${sql.ref(alias)}(${sql.join(Object.keys(types).map((column) => sql.ref(column)))})`;

/** Sends each column as an array. */
export const valuesTable: Engine["valuesTable"] = (alias, types, rows) =>
  sql`${unnested(types, rows)} as ${namedColumns(alias, types)}`;

/**
 * The planner takes an array that it does not know for ten rows, and reads the whole of a young table rather than look
 * up ten. Such a plan stays until the table is first analyzed, up to a minute. Behind a limit that it does not know
 * either, it expects one row.
 */
export const valuesToFind: Engine["valuesToFind"] = (alias, types, rows) =>
  sql`(select * from ${unnested(types, rows)} limit (select 2147483647)) as ${namedColumns(alias, types)}`;
