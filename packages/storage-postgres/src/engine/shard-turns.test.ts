import type { MetricChange, Storage } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createSentCounts } from "../../../storage-sql/src/repositories/mail/smtp-servers/sent.ts";
import { runOnce, takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

const hour = 3_600_000;
const patience = { timeout: 60_000, interval: 10 };
const change = (over: Partial<MetricChange> = {}): MetricChange => ({
  workspaceId: 1,
  at: hour,
  domain: "a.example",
  metric: "accepted",
  by: 1,
  ...over,
});

async function opened() {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  onTestFinished(async () => {
    await storage.close();
    await giveBack();
  });
  const shards = async (): Promise<number[]> => {
    const rows = await runOnce(
      connectionString,
      `select distinct shard from "${schema}".mail_metrics where workspace_id = 1 order by shard`,
    );
    return rows.map(({ shard }) => Number(shard));
  };
  const insert = (values: string) =>
    runOnce(connectionString, `insert into "${schema}".mail_metrics values ${values}`);
  return { connectionString, schema, storage, shards, insert };
}

/** As often as a process counts between two looks. */
const countOften = async ({ metrics }: Storage): Promise<void> => {
  for (let times = 0; times < 1_001; times += 1) await metrics.count([change()]);
};

/** Uses up so many transactions' numbers that a snapshot from before is old. */
const age = (connectionString: string) =>
  runOnce(
    connectionString,
    `do $$ begin
      create temporary table used (n int);
      for n in 1..2000 loop begin insert into used values (n); exception when others then null; end; end loop;
    end $$`,
  );

test("while a snapshot is old, counters go on in new rows, and return when it has ended", async () => {
  const { connectionString, storage, shards } = await opened();
  await countOften(storage);
  await age(connectionString);
  await countOften(storage);
  await storage.ping();
  const [usual, ...none] = await shards();
  expect(none).toEqual([]);
  expect(usual).toBeLessThan(128);

  const dump = new pg.Client({ connectionString });
  await dump.connect();
  await dump.query("begin isolation level repeatable read read only");
  await dump.query("select");
  await age(connectionString);
  await countOften(storage);
  await expect
    .poll(async () => {
      await storage.metrics.count([change()]);
      return (await shards()).length;
    }, patience)
    .toBeGreaterThan(1);
  const [, fresh] = await shards();
  expect((fresh ?? 0) % 128).toBe(usual);
  await dump.query("rollback");
  await dump.end();

  await countOften(storage);
  await expect
    .poll(async () => {
      await storage.operations.foldCounters(100);
      await storage.metrics.count([change()]);
      return shards();
    }, patience)
    .toEqual([0, usual]);
});

test("folding loses nothing that is counted meanwhile, and takes a piece at a time", async () => {
  const { storage, shards, insert } = await opened();
  const { metrics, operations } = storage;
  const total = async () => {
    const span = { workspaceId: 1, from: 0, until: 10 * hour };
    const { series } = await metrics.read(span, { every: hour, domains: 1 });
    return series.map(({ accepted }) => accepted);
  };
  await metrics.count([change()]);
  const turns = Array.from(
    { length: 30 },
    (_, n) => `(1, ${hour}, 'a.example', 'accepted', ${128 * (n + 1)}, 2)`,
  );
  await insert(turns.join(", "));
  expect(await operations.foldCounters(20)).toBe(20);
  expect(await total()).toEqual([61]);
  await Promise.all([
    ...Array.from({ length: 20 }, () => metrics.count([change()])),
    ...Array.from({ length: 4 }, () => operations.foldCounters(3)),
  ]);
  while ((await operations.foldCounters(3)) > 0);
  expect(await total()).toEqual([81]);
  expect((await shards()).every((shard) => shard < 128)).toBe(true);
});

test("a row in which somebody counts is folded later", async () => {
  const { connectionString, schema, storage, shards, insert } = await opened();
  await insert(
    `(1, ${hour}, 'a.example', 'accepted', 128, 2), (1, ${hour}, 'a.example', 'accepted', 256, 3)`,
  );
  const counting = new pg.Client({ connectionString });
  await counting.connect();
  await counting.query("begin");
  await counting.query(`update "${schema}".mail_metrics set total = total + 10 where shard = 256`);
  expect(await storage.operations.foldCounters(10)).toBe(1);
  await counting.query("commit");
  await counting.end();
  expect(await shards()).toEqual([0, 256]);
  expect(await storage.operations.foldCounters(10)).toBe(1);
  const span = { workspaceId: 1, from: 0, until: 10 * hour };
  expect((await storage.metrics.read(span, { every: hour, domains: 1 })).series).toMatchObject([
    { accepted: 15 },
  ]);
});

test("what servers sent is counted in rows of the turn, too", async () => {
  const { connectionString, schema, storage } = await opened();
  const { db, engine } = sideOf(storage);
  for (const turn of [0, 7, 7, 0])
    await createSentCounts(db, { ...engine, turn: () => turn }).countSent([{ row: 1, count: 2 }], "w", hour);
  expect(
    await runOnce(connectionString, `select worker, sent::int from "${schema}".smtp_sent order by worker`),
  ).toEqual([
    { worker: "w", sent: 4 },
    { worker: "w 7", sent: 4 },
  ]);
  expect(await storage.smtpServers.activity([1], hour)).toEqual([{ row: 1, sent: 8, lastSuccessAt: hour }]);
});
