import { type Engine, type Handle, prepared, type Database as Tables } from "@posthorn/storage-sql";
import Sqlite, { type Database } from "better-sqlite3";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStatementCache } from "../connections/statement-cache.ts";
import { createSqliteDialect, noTransactions } from "./sqlite-dialect.ts";
import { createSqliteEngine } from "./sqlite-engine.ts";

interface Row {
  name: string;
  kind: string | null;
  size: number | null;
  is_late: boolean;
}

/** A row as SQLite returns it. */
type Stored = Omit<Row, "is_late"> & { is_late: number };

const types = { name: "text", kind: "text", size: "bigint", is_late: "boolean" } as const;

let database: Database;
let texts: string[];
let run: <P extends object, R>(
  query: (db: Handle, engine: Engine, values: P) => Promise<R>,
  values: P,
) => Promise<R>;
let select: (rows: Row[], names: string[]) => Promise<Stored[]>;

beforeEach(() => {
  database = new Sqlite(":memory:");
  const statements = createStatementCache(database);
  texts = [];
  const connection = {
    ...noTransactions,
    executeQuery: async <R>({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      texts.push(text);
      return statements.run<R>(text, parameters);
    },
  };
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(() => connection, new Map()) });
  const engine = createSqliteEngine("");
  const query = prepared(
    (_, { rows, names }: { rows: Row[]; names: string[] }, { valuesToFind, anyOf }) => sql<Stored>`
      select * from ${valuesToFind("v", types, rows as never)} where ${anyOf(sql.ref("v.name"), names, "text")}`,
  );
  run = (query, values) => query(db, engine, values);
  select = (rows, names) => run(query, { rows, names });
});

afterEach(() => void database.close());

const names = ["a", "b", "c", "d", "e", "f"];
const rowsOf = (count: number, make: (at: number) => Partial<Row>): Row[] =>
  Array.from({ length: count }, (_, at) => ({ name: "a", kind: null, size: 7, is_late: true, ...make(at) }));
const storedOf = (rows: Row[]): Stored[] => rows.map((row) => ({ ...row, is_late: row.is_late ? 1 : 0 }));

const shares: [what: string, make: (at: number) => Partial<Row>][] = [
  ["nothing", (at) => ({ name: names[at % 6] ?? "", kind: `k${at}`, size: at, is_late: at % 2 === 0 })],
  ["everything", () => ({})],
  ["an absent value", (at) => ({ name: names[at % 6] ?? "" })],
  ["the first column", (at) => ({ kind: at % 2 === 0 ? null : "k", size: at, is_late: at % 2 === 0 })],
  ["the middle ones", (at) => ({ name: names[at % 6] ?? "", is_late: at % 2 === 0 })],
  ["the last column", (at) => ({ name: names[at % 6] ?? "", kind: "ä'", size: null, is_late: false })],
  ["all but one", (at) => ({ size: at })],
];

test.each(shares)("values of rows that share %s are all found", async (_, make) => {
  for (const count of [1, 2, 3, 4, 50, 1]) {
    const rows = rowsOf(count, make);
    expect(await select(rows, names)).toEqual(storedOf(rows));
  }
});

test("with ever other values shared, each is found, by at most five statements for a number of listed values", async () => {
  for (const [, make] of [...shares, ...shares.toReversed()]) {
    const rows = rowsOf(50, make);
    expect(await select(rows, names)).toEqual(storedOf(rows));
    const one = rowsOf(1, make);
    expect(await select(one, ["a", "b"])).toEqual(storedOf(one));
  }
  expect(new Set(texts.filter((text) => text.includes("json_each(?)"))).size).toBeLessThanOrEqual(5);
  expect(new Set(texts).size).toBeLessThanOrEqual(10);
});

test("the values of a single row are no list, and shared ones are bound once", async () => {
  await select(
    rowsOf(1, () => ({})),
    ["a"],
  );
  await select(
    rowsOf(50, (at) => ({ size: at })),
    ["a"],
  );
  expect(
    texts.map((text) => [text.match(/jsonb?_each/g)?.length ?? 0, text.match(/->>/g)?.length ?? 0]),
  ).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test("two tables of the same rows with other columns share their own", async () => {
  const query = prepared(
    (_, { rows }: { rows: { a: number; b: number; c: number }[] }, { valuesToFind }) => sql<object>`
      select v.a, v.b, w.c from ${valuesToFind("v", { a: "bigint", b: "bigint" }, rows)}
      join ${valuesToFind("w", { b: "bigint", a: "bigint", c: "bigint" }, rows)} on v.a = w.a and v.b = w.b order by v.a`,
  );
  const rows = Array.from({ length: 5 }, (_, at) => ({ a: at, b: 7, c: at * 2 }));
  expect(await run(query, { rows })).toEqual(rows);
});

test("a row of more columns than an integer has bits is bound as a list", async () => {
  const columns = Array.from({ length: 33 }, (_, at) => `c${at}`);
  const wide = Object.fromEntries(columns.map((column) => [column, "text" as const]));
  const query = prepared(
    (_, { rows }: { rows: Record<string, string>[] }, { valuesTable }) =>
      sql<object>`select * from ${valuesTable("v", wide, rows)}`,
  );
  const row = Object.fromEntries(columns.map((column) => [column, `of ${column}`]));
  expect(await run(query, { rows: [row] })).toEqual([row]);
  expect(texts.map((text) => text.includes("+?"))).toEqual([false]);
});
