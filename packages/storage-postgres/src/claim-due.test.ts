import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../test/open-test-storage.ts";

test("claiming is one statement, and neither it nor looking at the queue is planned anew each time", async () => {
  // A single connection, which can be asked about its own statements.
  const storage = await openTestPostgres({ connectionString: await testPostgresUrl(), max: 1 });
  const claim = () =>
    storage.emailQueue.claim({
      wants: [{ route: "w:1", lane: 1, since: 0, limit: 5 }],
      now: 9,
      leaseMs: 9,
      worker: "w",
      maxBytes: 9,
    });
  await claim();
  const query = vi.spyOn(pg.Client.prototype, "query");
  expect(await claim()).toEqual([]);
  expect(query).toHaveBeenCalledOnce();
  query.mockRestore();
  // PostgreSQL plans a statement for its values five times before it compares that with a plan for any.
  for (let count = 0; count < 8; count += 1) {
    await claim();
    await storage.emailQueue.look(9, 9, [{ route: "w:1", lane: 1, since: 0 }]);
  }
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where generic_plans > 0
  `.execute(sideOf(storage).db);
  expect(rows.filter(({ statement }) => /insert into .*"claims"/.test(statement))).toHaveLength(1);
  expect(rows.filter(({ statement }) => statement.includes("recursive floors"))).toHaveLength(1);
  await storage.close();
});
