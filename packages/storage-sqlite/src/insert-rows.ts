import type { Engine, ValueType } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";

/** An insert of that many rows without its values, built once per constant of columns. */
const createInsertQuery = () => {
  const queries = new WeakMap<object, Map<string, CompiledQuery>>();
  return (table: string, types: Readonly<Record<string, ValueType>>, rows: number): CompiledQuery => {
    const made = queries.get(types) ?? new Map<string, CompiledQuery>();
    queries.set(types, made);
    const key = `${table} ${rows}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const columns = Object.keys(types);
    const names = columns.map((column) => `"${column}"`).join(", ");
    const row = `(${columns.map(() => "?").join(", ")})`;
    const query = CompiledQuery.raw(
      `insert into "${table}" (${names}) values ${Array(rows).fill(row).join(", ")}`,
    );
    made.set(key, query);
    return query;
  };
};

/**
 * Rows per statement. Each statement has a fixed cost, and with powers of two, any number of rows takes few statements.
 */
const insertSizes = [64, 32, 16, 8, 4, 2, 1];

/** The parameters of that many rows, in the order of the columns. */
const valuesOf = (
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
  start: number,
  size: number,
): unknown[] => {
  const values = new Array<unknown>(size * columns.length);
  let at = 0;
  for (let index = start; index < start + size; index += 1)
    for (const column of columns) values[at++] = rows[index]?.[column];
  return values;
};

/** Bulk inserts in statements of a few sizes. `pause` is called between two, and may let others use the thread. */
export const createInserts = (
  tableName: Engine["tableName"],
  pause: () => Promise<void> | undefined,
): Pick<Engine, "insertRows" | "insertNumbered"> => {
  const insertQuery = createInsertQuery();
  /** Appends the new rows' ids to `ids`. */
  const insertRows = async (
    ...[db, table, types, rows, ids]: [...Parameters<Engine["insertRows"]>, ids?: number[]]
  ): Promise<void> => {
    const columns = Object.keys(types);
    for (let start = 0; start < rows.length; ) {
      const size = insertSizes.find((fit) => fit <= rows.length - start) ?? 1;
      const parameters = valuesOf(rows, columns, start, size);
      start += size;
      const query = insertQuery(tableName(table), types, size);
      const { insertId } = await db.executeQuery({ ...query, parameters });
      // SQLite numbers the rows of a statement one after the other.
      if (ids) for (let left = size; left > 0; left -= 1) ids.push(Number(insertId) - left + 1);
      const pausing = pause();
      if (pausing !== undefined) await pausing;
    }
  };
  return {
    insertRows,
    // Rows without an id get the next ones: nobody else can write until the transaction ends.
    async insertNumbered(...asked) {
      const ids: number[] = [];
      await insertRows(...asked, ids);
      return ids;
    },
  };
};
