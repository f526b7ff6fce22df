import { isDeepStrictEqual } from "node:util";
import { incompleteCopyFact } from "@posthorn/core/storage";
import { type RawBuilder, sql } from "kysely";
import { type CopiedTable, copiedTables } from "./copied-tables.ts";
import type { Engine, Handle } from "./engine.ts";
import { migrations } from "./migrations/index.ts";
import { findFact } from "./repositories/queue/find-fact.ts";
import type { ValueType } from "./tables/columns.ts";

/** One of the two databases; its schema must be up to date. */
export interface CopySide {
  /** The database. */
  db: Handle;
  /** The same, where a transaction may take long. */
  patientDb: Handle;
  /** Its engine. */
  engine: Engine;
}

/** Progress callbacks and cancellation of a copy. */
export interface CopyOptions {
  /** Called with the number of rows in the source, and how many of them an earlier copy brought over. */
  onTotal?: (rows: number, copied: number) => void;
  /** Called with the number of rows written to the target. */
  onCopied?: (rows: number) => void;
  /** Stops the copy between two chunks; it can be continued. */
  signal?: AbortSignal;
}

type Row = Record<string, unknown>;

/** Rows of these tables can be hundreds of kilobytes each, or megabytes. */
const heavy: readonly string[] = [
  "contents",
  "template_versions",
  "inbound_reports",
  "blob_chunks",
  "email_payloads",
  "stylesheet_sets",
  "stylesheets",
  "idempotency_keys",
];
const chunkOf = ({ name }: CopiedTable): number => (heavy.includes(name) ? 25 : 500);

/** The target holds other rows than the source, or something uses the source. */
export class CopyRefused extends Error {
  override name = "CopyRefused";
}

/**
 * Copies all rows from one database to another of the same schema, in chunks by primary key, each in one transaction.
 * Nothing else may write to either meanwhile. An interrupted copy is continued: the target must be a prefix of the
 * source, row by row. Throws `CopyRefused` before it writes anything if it is not, or if a schema is not up to date; and
 * at the end if the counts differ or the source was used meanwhile. Until all is well no service starts on the target.
 * Returns the number of rows of each table.
 */
export async function copyTables(
  from: CopySide,
  to: CopySide,
  { onTotal, onCopied, signal }: CopyOptions = {},
): Promise<{ table: string; rows: number }[]> {
  await assertMigrated(from);
  await assertMigrated(to);
  if ((await findFact(from.db, incompleteCopyFact)) !== undefined)
    throw new CopyRefused("the source is a copy that was interrupted");
  const lastEvent = await from.engine.lastId(from.db, "events");
  const plan = await planCopy(from, to);
  await to.db
    .insertInto("facts")
    .values({ name: incompleteCopyFact, value: "true" })
    .onConflict((row) => row.column("name").doNothing())
    .execute();
  const sum = (count: (table: TablePlan) => number): number =>
    plan.reduce((total, table) => total + count(table), 0);
  onTotal?.(
    sum(({ rows }) => rows),
    sum(({ copied }) => copied),
  );
  for (const { table, last } of plan) {
    for (let after = last; ; ) {
      signal?.throwIfAborted();
      const rows = await readChunk(from, table, { after, limit: chunkOf(table) });
      if (rows.length === 0) break;
      await to.patientDb.transaction().execute(async (transaction) => {
        await to.engine.insertRows(transaction, table.name, table.types, rows);
      });
      onCopied?.(rows.length);
      after = rows.at(-1);
    }
  }
  for (const { table } of plan) {
    if (!Object.hasOwn(table.types, "id")) continue;
    await to.engine.setLastId(to.db, table.name, await from.engine.lastId(from.db, table.name));
  }
  const counts = await verify(from, to);
  if ((await from.engine.lastId(from.db, "events")) !== lastEvent)
    throw new CopyRefused("something used the source during the copy");
  await to.db.deleteFrom("facts").where("name", "=", incompleteCopyFact).execute();
  return counts;
}

async function assertMigrated({ db, engine }: CopySide): Promise<void> {
  const applied = await db.selectFrom("schema_migrations").select("name").execute();
  const names = applied.map(({ name }) => name).sort();
  if (names.join() !== Object.keys(migrations).sort().join()) {
    throw new CopyRefused(
      `the schema of the ${engine.name} database is not that of this version: migrate it first`,
    );
  }
}

interface TablePlan {
  table: CopiedTable;
  /** Rows of the source. */
  rows: number;
  /** Number of them in the target. */
  copied: number;
  /** The last row in the target. */
  last: Row | undefined;
}

/**
 * Finds where to begin with each table. Migrations leave rows in none of them, so all rows in the target were copied.
 */
async function planCopy(from: CopySide, to: CopySide): Promise<TablePlan[]> {
  const plan: TablePlan[] = [];
  let isIncomplete = false;
  for (const table of copiedTables) {
    const last = (await readChunk(to, table, { limit: 1, backwards: true }))[0];
    const [rows, copied] = [await count(from, table), await count(to, table)];
    if (last !== undefined && (isIncomplete || !(await isPrefix(from, to, table))))
      throw new CopyRefused(
        `the target's table ${table.name} has rows that the source does not have: they are others', or the source was used since the copy was interrupted`,
      );
    isIncomplete ||= copied < rows;
    plan.push({ table, rows, copied, last });
  }
  return plan;
}

/** In a transaction: only there may a read take long on each engine, such as a count of a hundred million rows. */
const read = async <R>({ patientDb }: CopySide, query: RawBuilder<R>): Promise<R[]> =>
  (await patientDb.transaction().execute((transaction) => query.execute(transaction))).rows;

const nameOf = ({ engine }: CopySide, { name }: CopiedTable) => engine.table(name);

/** The key's columns, compared byte by byte: the order of text differs between engines and locales. */
const keyOf = ({ engine }: CopySide, { key, types }: CopiedTable) =>
  key.map((column) => (types[column] === "text" ? engine.bytewise(sql.ref(column)) : sql.ref(column)));

/** Whether a row is one of those that are copied. */
const isCopied = ({ key, staying }: CopiedTable) =>
  staying.length === 0 ? sql`true` : sql`${sql.ref(key[0] ?? "")} not in (${sql.join(staying)})`;

const valuesOf = ({ key }: CopiedTable, row: Row) => sql.join(key.map((column) => sql.val(row[column])));

async function readChunk(
  side: CopySide,
  table: CopiedTable,
  { after, limit, backwards = false }: { after?: Row | undefined; limit: number; backwards?: boolean },
): Promise<Row[]> {
  const key = keyOf(side, table);
  const further = after === undefined ? sql`` : sql`and (${sql.join(key)}) > (${valuesOf(table, after)})`;
  const order = key.map((column) => (backwards ? sql`${column} desc` : column));
  const columns = sql.join(Object.keys(table.types).map((column) => sql.ref(column)));
  const rows = await read(
    side,
    sql<Row>`
    select ${columns} from ${nameOf(side, table)} where ${isCopied(table)} ${further}
    order by ${sql.join(order)} limit ${limit}`,
  );
  return rows.map((row) => normalised(table, row));
}

/** Some engines store booleans as numbers; and one has no NUL in texts, so that its copy would not be like the source. */
function normalised({ types }: CopiedTable, row: Row): Row {
  const alike = (value: unknown, type: ValueType): unknown => {
    if (type === "boolean") return Boolean(value);
    return typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value;
  };
  return Object.fromEntries(
    Object.entries(types).map(([column, type]) => [column, alike(row[column], type)]),
  );
}

/** The number of rows. */
async function count(side: CopySide, table: CopiedTable): Promise<number> {
  const rows = await read(
    side,
    sql<{ count: number | string }>`
    select count(*) as count from ${nameOf(side, table)} where ${isCopied(table)}`,
  );
  return Number(rows[0]?.count ?? 0);
}

/** Whether all rows of the target are the source's first. One that was changed since would stay as it was. */
async function isPrefix(from: CopySide, to: CopySide, table: CopiedTable): Promise<boolean> {
  for (let after: Row | undefined; ; ) {
    const rows = await readChunk(to, table, { after, limit: chunkOf(table) });
    if (rows.length === 0) return true;
    if (!isDeepStrictEqual(await readChunk(from, table, { after, limit: rows.length }), rows)) return false;
    after = rows.at(-1);
  }
}

async function verify(from: CopySide, to: CopySide): Promise<{ table: string; rows: number }[]> {
  const counts: { table: string; rows: number }[] = [];
  for (const table of copiedTables) {
    const [there, here] = [await count(from, table), await count(to, table)];
    if (there !== here) {
      throw new CopyRefused(
        `the table ${table.name} has ${there} rows in the source and ${here} in the target: something used one of them during the copy`,
      );
    }
    counts.push({ table: table.name, rows: here });
  }
  return counts;
}
