import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "./index.ts";

test("counters that come from PostgreSQL are folded into the shard in which SQLite counts", async () => {
  const storage = await createSqliteStorage({ filename: ":memory:" });
  onTestFinished(() => storage.close());
  await storage.migrate();
  const { db, engine } = sideOf(storage);
  const hour = 3_600_000;
  await storage.metrics.count([{ workspaceId: 1, at: hour, domain: "a.example", metric: "accepted", by: 1 }]);
  await sql`insert into ${engine.table("mail_metrics")} (workspace_id, hour, domain, metric, shard, total) values
    (1, ${hour}, 'a.example', 'accepted', 5, 2),
    (1, ${hour}, 'a.example', 'accepted', 129, 4),
    (1, ${hour}, 'b.example', 'accepted', 129, 8)`.execute(db);
  const inTransaction = await storage.transaction(({ operations }) => operations.foldCounters(10));
  expect(inTransaction).toBe(0);
  expect(await storage.operations.foldCounters(10)).toBe(2);
  expect(await storage.operations.foldCounters(10)).toBe(0);
  const { rows } = await sql<{ domain: string; shard: number; total: number }>`
    select domain, shard, total from ${engine.table("mail_metrics")} where workspace_id = 1 order by domain, shard
  `.execute(db);
  expect(rows).toEqual([
    { domain: "a.example", shard: 0, total: 5 },
    { domain: "a.example", shard: 5, total: 2 },
    { domain: "b.example", shard: 0, total: 8 },
  ]);
});
