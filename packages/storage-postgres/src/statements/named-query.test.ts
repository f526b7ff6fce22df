import type { Socket } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runOnce, testPostgresUrl } from "../../test/open-test-storage.ts";
import { runFlight, runNamed, takesNamed } from "./named-query.ts";
import { runQuery } from "./run-query.ts";

let client: pg.Client;
let described: number;
beforeEach(async () => {
  client = new pg.Client({ connectionString: await testPostgresUrl(), pipeline: true });
  await client.connect();
  described = 0;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on("rowDescription", () => {
    described += 1;
  });
});
afterEach(() => client.end());

const run = (name: string, text: string, values: readonly unknown[] = []) =>
  runNamed(client, { name, text, values }, 10_000);

test("rows are described once, and parsed alike each time", async () => {
  const text = `select 7::bigint as id, true as yes, null::text as none, $1::text as said, $2::text[] as "all"`;
  const hard = ['a "quoted" \\ one', "{,}", null, "", "null"];
  const first = await run("once", text, ['"\\', hard]);
  const second = await run("once", text, ['"\\', hard]);
  expect(first.found).toEqual([
    { id: 7, yes: true, none: null, said: '"\\', all: '{"a \\"quoted\\" \\\\ one","{,}",NULL,"","null"}' },
  ]);
  expect(second.found).toEqual(first.found);
  expect(described).toBe(1);
});

test("two queries sent without waiting are both answered", async () => {
  const [one, two] = await Promise.all([
    run("twice", "select $1::int as n", [1]),
    run("twice", "select $1::int as n", [2]),
  ]);
  expect([one?.found, two?.found]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
});

test("a write returns the number of rows, and no rows", async () => {
  await client.query("create temp table notes (id int, text text)");
  const text = "insert into notes select * from unnest($1::int[], $2::text[])";
  for (const count of [2, 2]) {
    const { tag, found } = await run("write", text, [
      [1, 2],
      ["a\0", undefined],
    ]);
    expect({ tag, found }).toEqual({ tag: `INSERT 0 ${count}`, found: [] });
  }
  expect((await run("read", "select text from notes limit 2")).found).toEqual([
    { text: "a\ufffd" },
    { text: null },
  ]);
});

test("a failed query rejects with the server's error, and the following ones run", async () => {
  const text = "select 10 / $1::int as n";
  const [good, bad, next] = await Promise.allSettled([
    run("div", text, [5]),
    run("div", text, [0]),
    run("div", text, [2]),
  ]);
  expect(good).toMatchObject({ value: { found: [{ n: 2 }] } });
  expect(bad).toMatchObject({ reason: { code: "22012" } });
  expect(next).toMatchObject({ value: { found: [{ n: 5 }] } });
});

test("a statement that fails at its commit, after its answer, rejects", async () => {
  await client.query("create temp table late (n int unique deferrable initially deferred)");
  await run("late", "insert into late values (1)");
  await expect(run("late", "insert into late values (1)")).rejects.toMatchObject({ code: "23505" });
});

test("of a lost connection, each statement of the flight tells the loss", async () => {
  client.on("error", () => {});
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const [backend] = (await client.query("select pg_backend_pid() as pid")).rows;
  const failures = ["select pg_sleep(60)", "select 1"].map((text) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    return { sent: { name: undefined, text, values: [], resolve, reject }, promise };
  });
  runFlight(
    client,
    failures.map(({ sent }) => sent),
    60_000,
  );
  stream.destroy();
  for (const { promise } of failures) await expect(promise).rejects.toThrow("Connection terminated");
  // The server would go on with the statement for a minute, beside other tests.
  await runOnce(await testPostgresUrl(), `select pg_terminate_backend(${backend.pid})`);
});

test("one that can't be prepared gives those behind it their own errors, and is prepared later", async () => {
  const text = "select * from coming";
  const runTwice = () => Promise.allSettled([run("coming", text), run("coming", text)]);
  const missing = { reason: { code: "42P01" } };
  expect(await runTwice()).toMatchObject([missing, missing]);
  await client.query("create temp table coming (a int); insert into coming values (1)");
  const found = { value: { found: [{ a: 1 }] } };
  expect(await runTwice()).toMatchObject([found, found]);
  await client.query("alter table coming add column b int default 2");
  const changed = { reason: { code: "0A000" } };
  expect(await runTwice()).toMatchObject([changed, changed]);
});

test("a changed table's rows are not parsed by their former shape", async () => {
  await client.query("create temp table things (a int); insert into things values (1)");
  const text = "select * from things";
  await run("all", text);
  await client.query("alter table things add column b int default 2");
  await expect(run("all", text)).rejects.toMatchObject({ code: "0A000" });
});

test("with another kind of client, the statement runs as pg's own query", async () => {
  expect(takesNamed(client)).toBe(true);
  const { connection } = client as unknown as { connection: Record<string, unknown> };
  connection["submittedNamedStatements"] = undefined;
  expect(takesNamed(client)).toBe(false);
  const plain = new pg.Client({ connectionString: await testPostgresUrl() });
  await plain.connect();
  const statement = { sql: "select $1::int as n", parameters: [3] };
  const running = { timeoutMs: 10_000, nameStatement: () => "three" };
  expect((await runQuery(plain, statement, running)).rows).toEqual([{ n: 3 }]);
  await plain.end();
});
