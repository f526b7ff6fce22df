import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteStorage, type SqliteStorageOptions } from "../index.ts";

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

/** Looks up the suppressions of that many addresses, named after their place. */
const findUnder = (count: number) =>
  storage.suppressions.findUnder(
    Array.from({ length: count }, (_, at) => ({ workspaceId: 1, addressKey: String(at) })),
  );

test("lists of up to four values are compared as values, whatever other lists the look-up has", async () => {
  await storage.apiKeys.findByDigests(["a"]);
  await storage.apiKeys.findByDigests(["a", "b", "c", "d", "e"]);
  for (const count of [1, 2, 4, 5, 6]) await findUnder(count);
  expect(texts.map(listsIn)).toEqual([0, 1, 0, 0, 0, 1]);
});

test.each([1, 3])("a look-up of %i values finds by the index", async (count) => {
  await findUnder(count);
  const values = [1, ...Array<string>(count).fill("a")];
  const plan = database.prepare(`explain query plan ${texts[0]}`).all(values) as { detail: string }[];
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

test("the page that has a list's end tells its total; any other, and one behind the end, is counted", async () => {
  const event = { category: "audit", type: "user.login", workspaceId: 1, userId: undefined } as const;
  const of = { actorId: undefined, actorName: "", clientIp: "", message: "", metadata: "{}", createdAt: 1 };
  await storage.events.append([1, 2, 3].map(() => ({ ...event, ...of })));
  const totalOf = async (offset: number, limit: number, type = "user.login") => {
    texts = [];
    const { total } = await storage.events.list({ workspaceId: 1, type }, { offset, limit });
    return [total, texts.some((text) => text.includes("count("))];
  };
  expect(await totalOf(0, 3)).toEqual([3, false]);
  expect(await totalOf(2, 2)).toEqual([3, false]);
  expect(await totalOf(0, 2, "none")).toEqual([0, false]);
  expect(await totalOf(0, 2)).toEqual([3, true]);
  // Each statement is prepared once.
  expect(await totalOf(4, 2)).toEqual([3, false]);
});
