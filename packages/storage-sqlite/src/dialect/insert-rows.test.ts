import type { Handle } from "@posthorn/storage-sql";
import Sqlite, { type Database } from "better-sqlite3";
import type { CompiledQuery } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStatementCache } from "../connections/statement-cache.ts";
import { createInserts } from "./insert-rows.ts";

interface Row {
  name: string;
  kind: string | null;
  size: number | undefined;
  isLate: boolean;
}

const types = { name: "text", kind: "text", size: "bigint", isLate: "boolean" } as const;

let database: Database;
let ran: Pick<CompiledQuery, "sql" | "parameters">[];
let insert: (rows: Row[]) => Promise<number[]>;

beforeEach(() => {
  database = new Sqlite(":memory:");
  database.exec(
    "create table things (id integer primary key, name text, kind text, size integer, isLate integer)",
  );
  const statements = createStatementCache(database);
  ran = [];
  const db = {
    executeQuery: async (query: CompiledQuery) => {
      ran.push(query);
      return statements.run(query.sql, query.parameters);
    },
  } as unknown as Handle;
  const { insertNumbered } = createInserts(
    () => "things",
    () => undefined,
  );
  insert = (rows) => insertNumbered(db, "events", types, rows as never);
});

afterEach(() => void database.close());

const rowsOf = (count: number, make: (at: number) => Partial<Row> = () => ({})): Row[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `thing ${at}`,
    kind: null,
    size: 7,
    isLate: true,
    ...make(at),
  }));

test.each<[what: string, make: (at: number) => Partial<Row>]>([
  ["nothing but their values' types", (at) => ({ kind: `${at % 3}`, size: at, isLate: at % 2 === 0 })],
  ["the columns behind the first", () => ({})],
  ["the first columns", (at) => ({ name: "a", kind: "b", size: at, isLate: at % 5 === 0 })],
  ["each column", () => ({ name: "a", kind: "b" })],
  ["a column without a value", (at) => ({ kind: `${at}`, size: undefined })],
])("rows that share %s are stored as given, with their ids in order", async (_, make) => {
  const rows = rowsOf(64 + 16 + 4 + 3, make);
  const ids = await insert(rows);
  const stored = database.prepare("select name, kind, size, isLate from things where id = ?");
  expect(ids.map((id) => stored.get(id))).toEqual(
    rows.map((row) => ({ ...row, size: row.size ?? null, isLate: Number(row.isLate) })),
  );
});

test("a value that all rows of a statement share is bound once", async () => {
  await insert(rowsOf(32));
  expect(ran.map(({ parameters }) => parameters.length)).toEqual([32 + 3]);
});

test("an insert of a number of rows has six statements at most, whatever its rows share", async () => {
  const vary = (bits: number) => (at: number) => ({
    ...(bits & 1 ? { name: "a" } : {}),
    ...(bits & 2 ? { kind: `${at}` } : {}),
    ...(bits & 4 ? { size: at } : {}),
    ...(bits & 8 ? { isLate: at % 2 === 0 } : {}),
  });
  for (let bits = 0; bits < 16; bits += 1) await insert(rowsOf(8, vary(bits)));
  expect(new Set(ran.map(({ sql }) => sql)).size).toBeLessThanOrEqual(6);
  expect(database.prepare("select count(*) as total from things").get()).toEqual({ total: 16 * 8 });
});
