import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteStorage, type SqliteStorageOptions } from "./index.ts";

type Database = NonNullable<SqliteStorageOptions["database"]>;

let database: Database;
let storage: Awaited<ReturnType<typeof createSqliteStorage>>;
/** Statements prepared since the last look. */
let texts: string[] = [];

const listsIn = (text: string | undefined): number => text?.match(/jsonb?_each\(/g)?.length ?? 0;

beforeEach(async () => {
  database = new Sqlite(":memory:");
  database.pragma("foreign_keys = ON");
  storage = await createSqliteStorage({ database });
  await storage.migrate();
  const prepare = database.prepare.bind(database);
  texts = [];
  database.prepare = ((text: string) => {
    texts.push(text);
    return prepare(text);
  }) as typeof database.prepare;
});

afterEach(async () => {
  await storage.close();
  database.close();
});

test("a list of one value is compared as a value, whatever other lists the look-up has", async () => {
  const workspaceId = 1;
  await storage.apiKeys.findByDigests(["a"]);
  await storage.apiKeys.findByDigests(["a", "b"]);
  await storage.suppressions.findUnder([{ workspaceId, addressKey: "a" }]);
  await storage.suppressions.findUnder([
    { workspaceId, addressKey: "a" },
    { workspaceId, addressKey: "b" },
  ]);
  expect(texts.map(listsIn)).toEqual([0, 1, 0, 1]);
});

test("a look-up of one value finds by the index", async () => {
  await storage.suppressions.findUnder([{ workspaceId: 1, addressKey: "a" }]);
  const plan = database.prepare(`explain query plan ${texts[0]}`).all(1, "a") as { detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH .*workspace_id=\? AND address_key=\?/),
  ]);
});

test("a few rows of counters are selected as values, many from a list, and both are added up", async () => {
  const countIn = (hours: number) =>
    storage.metrics.count(
      Array.from({ length: hours }, (_, at) => ({
        workspaceId: 1,
        at: at * 3_600_000,
        domain: "",
        metric: "accepted" as const,
        by: 2,
      })),
    );
  await countIn(1);
  await countIn(20);
  expect(listsIn(texts[0])).toBe(0);
  expect(listsIn(texts.at(-1))).toBe(1);
  expect((await storage.metrics.totals()).accepted).toBe(42);
});
