import {
  choiceOf,
  type Engine,
  isShared,
  leastSharing,
  sharedBy,
  type ValueRows,
  type ValueType,
} from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";

/** A statement that inserts some number of rows. */
interface Form {
  /** A bit for each column whose value is the same in all rows and bound once, ahead of the other values. */
  shared: number;
  query: CompiledQuery;
}

/**
 * Maximum choices of columns whose values are bound once, for an insert of some number of rows, none included: a prepared
 * statement takes some KB.
 */
const maxChoices = 6;

/** The statements that insert some number of rows, one for each choice of columns whose values are bound once. */
interface Forms {
  choices: number[];
  queries: CompiledQuery[];
}

/** Finds the form of an insert, built once per constant of columns. */
const createForms = () => {
  const known = new WeakMap<object, Map<string, Forms>>();
  return (table: string, types: Readonly<Record<string, ValueType>>, rows: number, wanted: number): Form => {
    const made = known.get(types) ?? new Map<string, Forms>();
    known.set(types, made);
    const key = `${table} ${rows}`;
    const { choices, queries } = made.get(key) ?? { choices: [0], queries: [] };
    made.set(key, { choices, queries });
    const choice = choiceOf(choices, wanted, maxChoices);
    const shared = choices[choice] ?? 0;
    const query = queries[choice] ?? insertQuery(table, Object.keys(types), rows, shared);
    queries[choice] = query;
    return { shared, query };
  };
};

function insertQuery(table: string, columns: readonly string[], rows: number, shared: number): CompiledQuery {
  const own = columns.filter((_, column) => !isShared(shared, column));
  const values = `values ${Array(rows)
    .fill(`(${own.map(() => "?").join(", ")})`)
    .join(", ")}`;
  const into = `insert into "${table}" (${columns.map((column) => `"${column}"`).join(", ")})`;
  if (shared === 0) return CompiledQuery.raw(`${into} ${values}`);
  // SQLite's names for the columns of a list of values.
  const taken = columns.map((column) => (own.includes(column) ? `column${own.indexOf(column) + 1}` : "?"));
  return CompiledQuery.raw(`${into} select ${taken.join(", ")} from (${values})`);
}

/**
 * Rows per statement. Each statement has a fixed cost, and with powers of two, any number of rows takes few statements.
 */
const insertSizes = [64, 32, 16, 8, 4, 2, 1];

/** The parameters of that many rows, in the order of the columns: first the shared ones. */
function valuesOf(
  rows: ValueRows,
  columns: readonly string[],
  { start, size, shared }: { start: number; size: number; shared: number },
): unknown[] {
  const values: unknown[] = [];
  const own: string[] = [];
  for (const [at, column] of columns.entries())
    if (isShared(shared, at)) values.push(rows[start]?.[column]);
    else own.push(column);
  for (let index = start; index < start + size; index += 1)
    for (const column of own) values.push(rows[index]?.[column]);
  return values;
}

/** Bulk inserts in statements of a few sizes. `pause` is called between two, and may let others use the thread. */
export const createInserts = (
  tableName: Engine["tableName"],
  pause: () => Promise<void> | undefined,
): Pick<Engine, "insertRows" | "insertNumbered"> => {
  const formOf = createForms();
  /** Appends the new rows' ids to `ids`. */
  const insertRows = async (
    ...[db, table, types, rows, ids]: [...Parameters<Engine["insertRows"]>, ids?: number[]]
  ): Promise<void> => {
    const columns = Object.keys(types);
    for (let start = 0; start < rows.length; ) {
      const size = insertSizes.find((fit) => fit <= rows.length - start) ?? 1;
      const wanted = size < leastSharing ? 0 : sharedBy(rows, columns, start, size);
      const { shared, query } = formOf(tableName(table), types, size, wanted);
      const parameters = valuesOf(rows, columns, { start, size, shared });
      start += size;
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
