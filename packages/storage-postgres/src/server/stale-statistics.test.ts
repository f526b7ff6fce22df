import { sideOf } from "@posthorn/storage-sql";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  newSchema,
  openTestPostgres,
  runOnce,
  testPostgresUrl,
  unhurried,
} from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import { createStaleStatistics } from "./stale-statistics.ts";

const rows = 3_000;
const slow = 1_000;

let storage: Awaited<ReturnType<typeof openTestPostgres>>;
let client: pg.Client;
let schema: string;

beforeEach(async () => {
  storage = await openTestPostgres();
  schema = sideOf(storage).engine.schema ?? "";
  client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  await client.query(`set search_path to "${schema}"`);
});
afterEach(async () => {
  await client.query("truncate email_queue");
  await client.query("alter table email_queue reset (autovacuum_enabled)");
  await client.end();
  await storage.close();
});

/** How many rows PostgreSQL plans for. */
const planned = async (): Promise<number> => {
  const { rows: found } = await client.query(
    "select reltuples::int from pg_class where oid = 'email_queue'::regclass",
  );
  return found[0].reltuples;
};

/** Fills a queue for which PostgreSQL plans as for an empty one, until its counters show that. */
const growQueue = async ({ isAnalyzed = true } = {}): Promise<void> => {
  // Autovacuum, too, counts a table's rows after a thousand inserts, if its minute comes now.
  await client.query("alter table email_queue set (autovacuum_enabled = false)");
  await client.query("truncate email_queue");
  if (isAnalyzed) await client.query("analyze email_queue");
  await client.query(
    `insert into email_queue (email_id, route, lane, due_at, queued_at, bytes)
       select i, 'w:1', 1, 9e12, 1, 1 from generate_series(1, ${rows}) as i`,
  );
  await vi.waitFor(
    async () => {
      const { rows: found } = await client.query(
        "select pg_stat_get_live_tuples('email_queue'::regclass)::int as live",
      );
      // Rows that a former test wrote may be counted only now.
      expect(found[0].live).toBeGreaterThanOrEqual(rows);
    },
    { timeout: 60_000 },
  );
};

/** Has a statement of another role be slow; returns what the server warns of. */
const endSlowlyAs = async (role: string): Promise<(string | undefined)[]> => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 1, options: `-c role=${role}` });
  const warnings: (string | undefined)[] = [];
  pool.on("connect", (one) => void one.on("notice", ({ message }) => warnings.push(message)));
  const foreign = await createPostgresStorage({ pool, schema, timeouts: unhurried });
  const statistics = createStaleStatistics(() => sideOf(foreign).db, { schema, slowMs: 30, now: () => slow });
  statistics.ended(0);
  await statistics.settled();
  await foreign.close();
  await pool.end();
  return warnings;
};

test("after a slow statement, a table that has grown is analyzed", async () => {
  await growQueue();
  expect(await planned()).toBeLessThanOrEqual(0);
  let now = 0;
  const statistics = createStaleStatistics(() => sideOf(storage).db, { schema, slowMs: 30, now: () => now });
  now = 10;
  statistics.ended(0);
  await statistics.settled();
  expect(await planned()).toBeLessThanOrEqual(0);
  now = slow;
  statistics.ended(0);
  await statistics.settled();
  expect(await planned()).toBe(rows);
});

test("a table without statistics is analyzed, although the server has not counted its rows, as after pg_upgrade", async () => {
  await growQueue({ isAnalyzed: false });
  await client.query("select pg_stat_reset_single_table_counters('email_queue'::regclass)");
  expect(await planned()).toBe(-1);
  const statistics = createStaleStatistics(() => sideOf(storage).db, {
    schema,
    slowMs: 30,
    now: () => slow,
  });
  statistics.ended(0);
  await statistics.settled();
  expect(await planned()).toBe(rows);
});

test("after a look at the statistics, slow statements cause no other for a while", async () => {
  let now = slow;
  const statistics = createStaleStatistics(() => sideOf(storage).db, { schema, slowMs: 30, now: () => now });
  statistics.ended(0);
  await statistics.settled();
  await growQueue();
  now += 9_000;
  statistics.ended(0);
  await statistics.settled();
  expect(await planned()).toBeLessThanOrEqual(0);
  now += 2_000;
  statistics.ended(0);
  await statistics.settled();
  expect(await planned()).toBe(rows);
});

test("a role that does not own the tables analyzes none: the server's log would have a warning for each", async () => {
  await growQueue();
  const role = newSchema();
  await client.query(`create role "${role}"`);
  onTestFinished(async () => {
    const url = await testPostgresUrl();
    await runOnce(url, `drop owned by "${role}"; drop role "${role}"`);
  });
  await client.query(`grant usage on schema "${schema}" to "${role}"`);
  await client.query(`grant select on all tables in schema "${schema}" to "${role}"`);
  expect(await endSlowlyAs(role)).toEqual([]);
  expect(await planned()).toBeLessThanOrEqual(0);
});

test("a role that owns the database has tables analyzed that belong to another", async () => {
  await growQueue();
  const url = await testPostgresUrl();
  const [member, owner] = [newSchema(), newSchema()];
  await client.query(
    `create role "${member}"; create role "${owner}"; alter table email_queue owner to "${owner}"`,
  );
  const { rows: found } = await client.query(
    "select pg_get_userbyid(datdba) as name from pg_database where datname = current_database()",
  );
  await client.query(`grant "${found[0].name}" to "${member}"`);
  onTestFinished(async () => {
    await runOnce(url, `drop owned by "${member}"; drop role "${member}"`);
    await runOnce(url, `reassign owned by "${owner}" to current_user; drop role "${owner}"`);
  });
  await endSlowlyAs(member);
  expect(await planned()).toBe(rows);
});

test("a statement of the storage's own that waited long has a grown queue analyzed", async () => {
  await growQueue();
  // Its first statements are slow on a busy machine; then it looks at the statistics at once.
  const own = await createPostgresStorage({
    connectionString: await testPostgresUrl(),
    schema,
    timeouts: { ...unhurried, slow: 30 },
  });
  await client.query("begin");
  await client.query("lock table claims in access exclusive mode");
  const answer = own.emailQueue.claims();
  await vi.waitFor(
    async () => {
      const { rows: found } = await client.query(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '100 ms'",
      );
      // The look may wait beside it: for the size of this table, if it has no statistics.
      expect(found).not.toEqual([]);
    },
    { timeout: 60_000 },
  );
  await client.query("commit");
  await answer;
  await vi.waitFor(async () => expect(await planned()).toBe(rows), { timeout: 60_000 });
  await own.close();
});
