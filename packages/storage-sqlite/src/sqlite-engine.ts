import { type Engine, type Handle, type ValueType, wordOfColumns } from "@posthorn/storage-sql";
import { CompiledQuery, sql } from "kysely";

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";

const unavailable = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL|CORRUPT|NOTADB)/;

/** The text of an insert of so many rows, made once for each constant that names the columns. */
const createInsertText = () => {
  const texts = new WeakMap<object, Map<string, string>>();
  return (
    table: string,
    types: Readonly<Record<string, ValueType>>,
    returning: readonly string[],
    rows: number,
  ): string => {
    const made = texts.get(types) ?? new Map<string, string>();
    texts.set(types, made);
    const key = `${table} ${rows} ${returning.join()}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const columns = Object.keys(types);
    const text = [
      `insert into "${table}" (${columns.map((column) => `"${column}"`).join(", ")})`,
      `values ${Array(rows)
        .fill(`(${columns.map(() => "?").join(", ")})`)
        .join(", ")}`,
      returning.length > 0 ? `returning ${returning.map((column) => `"${column}"`).join(", ")}` : "",
    ].join(" ");
    made.set(key, text);
    return text;
  };
};

const insertText = createInsertText();

/** So many rows go in one statement: few sizes, so that few statements are prepared; each statement has a cost of its own. */
const insertSizes = [32, 8, 1];

const insertRows: Engine["insertRows"] = async <R extends Record<string, unknown>>(
  db: Handle,
  table: string,
  types: Readonly<Record<string, ValueType>>,
  rows: readonly Readonly<Record<string, unknown>>[],
  returning: readonly (keyof R & string)[] = [],
): Promise<R[]> => {
  const columns = Object.keys(types);
  const answers: R[] = [];
  for (let start = 0; start < rows.length; ) {
    const size = insertSizes.find((fit) => fit <= rows.length - start) ?? 1;
    const values = rows.slice(start, start + size).flatMap((row) => columns.map((column) => row[column]));
    start += size;
    const query = CompiledQuery.raw(insertText(table, types, returning, size), values);
    const result = await db.executeQuery(query as CompiledQuery<R>);
    answers.push(...result.rows);
  }
  return answers;
};

const id = "integer primary key";

/** What is SQLite's own. Lists are bound as JSON, truth values as 0 and 1 (see `statement-cache.ts`). */
export const sqliteEngine: Engine = {
  name: "sqlite",
  schema: undefined,
  ddl: {
    table: (name) => `"${name}"`,
    id,
    lastingId: `${id} autoincrement`,
    bigint: "integer",
    boolean: "integer",
    yes: "1",
    no: "0",
    clustered: "without rowid",
  },
  table: (name) => sql.table(name),
  isUniqueViolation(error) {
    const code = codeOf(error);
    if (code !== "SQLITE_CONSTRAINT_UNIQUE" && code !== "SQLITE_CONSTRAINT_PRIMARYKEY") return undefined;
    return wordOfColumns(String((error as Error).message).replace("UNIQUE constraint failed: ", ""));
  },
  isUnavailable: (error) => unavailable.test(codeOf(error)),
  forUpdate: (query) => query,
  forShare: (query) => query,
  skipLocked: (query) => query,
  insertRows,
  anyOf: (column, values) => sql`${column} in (select value from json_each(${values}))`,
  valuesTable(alias, types, rows) {
    const columns = Object.keys(types);
    const fields = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
    const values = rows.map((row) => columns.map((column) => row[column] ?? null));
    return sql`(select ${sql.join(fields)} from json_each(${values})) as ${sql.ref(alias)}`;
  },
  // One writer at a time: whoever reads, sees every smaller id.
  markEventWriter: async () => {},
  findEventHorizon: async () => Number.MAX_SAFE_INTEGER,
  clock: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  bytewise: (column) => sql`${column}`,
  async lastId(db, table) {
    const { rows } = await sql<{ id: number | null }>`
      select max(id) as id from (
        select max(id) as id from ${sql.table(table)}
        union all select seq from sqlite_sequence where name = ${table}
      )`.execute(db);
    return Number(rows[0]?.id ?? 0);
  },
  // A table without `autoincrement` has no counter: it goes on after the ids it holds.
  async setLastId(db, table, last) {
    await sql`delete from sqlite_sequence where name = ${table} and seq < ${last}`.execute(db);
    await sql`
      insert into sqlite_sequence (name, seq) select ${table}, ${last}
      where ${last} > 0 and not exists (select 1 from sqlite_sequence where name = ${table})
        and exists (select 1 from sqlite_master where name = ${table} and sql like '%autoincrement%')`.execute(
      db,
    );
  },
  // `BEGIN IMMEDIATE` keeps the others out.
  lockMigrations: async () => {},
};
