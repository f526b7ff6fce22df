import { setImmediate } from "node:timers/promises";
import { type Storage, StorageUnavailable } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { openTestPostgres, testPostgresUrl } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import type { PostgresTransaction } from "./host-transaction.ts";

let storage: Storage<PostgresTransaction>;
beforeEach(async () => {
  storage = await openTestPostgres();
});
afterEach(() => storage.close());

async function countLate(): Promise<number> {
  const { db, engine } = sideOf(storage);
  const read = sql<{ count: number }>`select count(*)::int as count from ${engine.table("guards")}`;
  return (await db.executeQuery(read.compile(db))).rows[0]?.count ?? -1;
}

/** Runs a transaction that fails; `writeLate` begins meanwhile, and may write. */
async function fail(writeLate: (write: () => Promise<unknown>) => Promise<unknown>): Promise<string> {
  const { db, engine } = sideOf(storage);
  const write = sql`insert into ${engine.table("guards")} (key, count, ends_at, taken) values ('late', 1, 1, 1)`;
  let late: Promise<string> | undefined;
  const failed = db.transaction().execute(async (tx) => {
    await tx.executeQuery(sql`select 1`.compile(tx));
    late = writeLate(() => tx.executeQuery(write.compile(tx))).then(
      () => "written",
      (error: Error) => error.message,
    );
    throw new Error("failed");
  });
  await expect(failed).rejects.toThrow("failed");
  return (await late) ?? "";
}

test("a call that a pg client's commit overtakes is told to be awaited", async () => {
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  const committed = client.query("commit");
  const late = storage.within(client).savepoint(({ guards }) => guards.clear("late"));
  await expect(late).rejects.toThrow("the host's transaction has ended: await each call before that");
  await committed;
});

test("a host's transaction takes no calls of a closed storage", async () => {
  const connectionString = await testPostgresUrl();
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  // The one of the other tests stays open.
  const own = await createPostgresStorage({ connectionString, max: 1 });
  own.within(client);
  await own.close();
  const closed = new StorageUnavailable("the storage is closed", { isFinal: true });
  expect(() => own.within(client)).toThrow(closed);
});

test("a pg client that is lost within a call, and that nobody listens to, does not end the process", async () => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl() });
  const client = await pool.connect();
  await client.query("begin");
  const listeners = client.listenerCount("error");
  const { rows } = await client.query("select pg_backend_pid() as pid");
  await storage.within(client).savepoint(({ guards }) => guards.clear("none"));
  expect(client.listenerCount("error")).toBe(listeners);
  const lost = storage.within(client).savepoint(async ({ guards }) => {
    const ended = new Promise((resolve) => void client.once("end", resolve));
    await pool.query("select pg_terminate_backend($1)", [rows[0].pid]);
    await ended;
    await guards.clear("late");
  });
  await expect(lost).rejects.toThrow(StorageUnavailable);
  client.release();
  await pool.end();
});

test("nor does one that is lost in a statement outside a call's savepoint, as a file's read is", async () => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl() });
  const [client, other] = [await pool.connect(), await pool.connect()];
  await client.query("begin");
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const table = `"${sideOf(storage).engine.schema}".guards`;
  await other.query(`begin; lock table ${table}`);
  const lost = expect(storage.within(client).guards.clear("none")).rejects.toThrow(StorageUnavailable);
  const isWaiting = `select from pg_stat_activity where pid = ${rows[0].pid} and wait_event_type = 'Lock'`;
  await eventually(async () => (await other.query(isWaiting)).rows.length > 0);
  await other.query("select pg_terminate_backend($1)", [rows[0].pid]);
  await lost;
  await other.query("rollback");
  for (const one of [client, other]) one.release();
  await pool.end();
});

test("a statement that comes while its transaction is rolled back is refused, and writes nothing", async () => {
  // The next turn comes before the server's answer to the rollback.
  expect(await fail((write) => setImmediate().then(write))).toBe("the transaction has ended");
  expect(await countLate()).toBe(0);
});

test("a statement that comes just before the rollback is rolled back", async () => {
  const outcomes: string[] = [];
  for (let ticks = 0; ticks < 20; ticks += 1) {
    const outcome = await fail(async (write) => {
      for (let tick = 0; tick < ticks; tick += 1) await undefined;
      return write();
    });
    outcomes.push(outcome);
    expect({ ticks, rows: await countLate() }).toEqual({ ticks, rows: 0 });
  }
  expect(new Set(outcomes)).toEqual(new Set(["written", "the transaction has ended"]));
});
