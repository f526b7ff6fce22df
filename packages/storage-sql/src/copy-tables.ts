import { sql } from "kysely";
import { type CopiedTable, copiedTables } from "./copied-tables.ts";
import type { Engine, Handle } from "./engine.ts";
import { migrations } from "./migrations/index.ts";

/** One of the two databases, its schema up to date. */
export interface CopySide {
  /** The database. */
  db: Handle;
  /** Its engine. */
  engine: Engine;
}

/** Who hears of a copy's progress, and how it is ended. */
export interface CopyOptions {
  /** Told of the rows that there are, and of those among them that an earlier copy brought over. */
  onTotal?: (rows: number, copied: number) => void;
  /** Told of rows once they are in the target. */
  onCopied?: (rows: number) => void;
  /** Ends the copying between two chunks; it can be continued. */
  signal?: AbortSignal;
}

type Row = Record<string, unknown>;

/** Rows of these can be megabytes each. */
const heavy: readonly string[] = [
  "contents",
  "blob_chunks",
  "email_payloads",
  "stylesheet_sets",
  "stylesheets",
  "idempotency_keys",
];
const chunkOf = ({ name }: CopiedTable): number => (heavy.includes(name) ? 25 : 500);

/** The target holds what the source does not: nothing was copied. */
export class CopyRefused extends Error {
  override name = "CopyRefused";
}

/**
 * Copies every row from one database to another of the same schema, in chunks by primary key, each one transaction. Nothing may write
 * to either meanwhile. Where an earlier copy was interrupted it goes on: the target must be a prefix of the source. Throws
 * `CopyRefused` before anything is written where it is not, or where a schema is not up to date; and at the end where the counts differ.
 * How many rows each table has.
 */
export async function copyTables(
  from: CopySide,
  to: CopySide,
  { onTotal, onCopied, signal }: CopyOptions = {},
): Promise<{ table: string; rows: number }[]> {
  await assertMigrated(from);
  await assertMigrated(to);
  const plan = await planCopy(from, to);
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
      await to.db.transaction().execute(async (transaction) => {
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
  return await verify(from, to);
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
  /** Those of them in the target. */
  copied: number;
  /** The last of them. */
  last: Row | undefined;
}

/** Where each table's copying begins. A migration leaves rows in none of them, so whatever the target holds was copied. */
async function planCopy(from: CopySide, to: CopySide): Promise<TablePlan[]> {
  const plan: TablePlan[] = [];
  let isIncomplete = false;
  for (const table of copiedTables) {
    const last = (await readChunk(to, table, { limit: 1, backwards: true }))[0];
    const [rows, copied] = [await count(from, table), await count(to, table)];
    if (last !== undefined) {
      const isPrefix =
        !isIncomplete && (await count(from, table, last)) === copied && (await holds(from, table, last));
      if (!isPrefix) {
        throw new CopyRefused(`the target holds other data than the source, in its table ${table.name}`);
      }
    }
    isIncomplete ||= copied < rows;
    plan.push({ table, rows, copied, last });
  }
  return plan;
}

const nameOf = ({ engine }: CopySide, { name }: CopiedTable) => engine.table(name);

/** The key's columns, compared byte by byte: text sorts differently from one engine and locale to the next. */
const keyOf = ({ engine }: CopySide, { key, types }: CopiedTable) =>
  key.map((column) => (types[column] === "text" ? engine.bytewise(sql.ref(column)) : sql.ref(column)));

const valuesOf = ({ key }: CopiedTable, row: Row) => sql.join(key.map((column) => sql.val(row[column])));

async function readChunk(
  side: CopySide,
  table: CopiedTable,
  { after, limit, backwards = false }: { after?: Row | undefined; limit: number; backwards?: boolean },
): Promise<Row[]> {
  const key = keyOf(side, table);
  const where = after === undefined ? sql`` : sql`where (${sql.join(key)}) > (${valuesOf(table, after)})`;
  const order = key.map((column) => (backwards ? sql`${column} desc` : column));
  const columns = sql.join(Object.keys(table.types).map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`
    select ${columns} from ${nameOf(side, table)} ${where}
    order by ${sql.join(order)} limit ${limit}`.execute(side.db);
  return rows.map((row) => normalised(table, row));
}

/** Truth values are numbers in some engines. */
function normalised({ types }: CopiedTable, row: Row): Row {
  return Object.fromEntries(
    Object.entries(types).map(([column, type]) => [
      column,
      type === "boolean" ? Boolean(row[column]) : row[column],
    ]),
  );
}

/** How many rows there are, or how many up to the given one. */
async function count(side: CopySide, table: CopiedTable, upTo?: Row): Promise<number> {
  const where =
    upTo === undefined ? sql`` : sql`where (${sql.join(keyOf(side, table))}) <= (${valuesOf(table, upTo)})`;
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as count from ${nameOf(side, table)} ${where}`.execute(side.db);
  return Number(rows[0]?.count ?? 0);
}

/** Whether the table holds exactly this row. */
async function holds(side: CopySide, table: CopiedTable, row: Row): Promise<boolean> {
  const columns = sql.join(Object.keys(table.types).map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`
    select ${columns} from ${nameOf(side, table)}
    where (${sql.join(keyOf(side, table))}) = (${valuesOf(table, row)})`.execute(side.db);
  return rows[0] !== undefined && JSON.stringify(normalised(table, rows[0])) === JSON.stringify(row);
}

async function verify(from: CopySide, to: CopySide): Promise<{ table: string; rows: number }[]> {
  const counts: { table: string; rows: number }[] = [];
  for (const table of copiedTables) {
    const [there, here] = [await count(from, table), await count(to, table)];
    if (there !== here) {
      throw new Error(`the table ${table.name} has ${there} rows in the source and ${here} in the target`);
    }
    counts.push({ table: table.name, rows: here });
  }
  return counts;
}
