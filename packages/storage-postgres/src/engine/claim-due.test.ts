import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { openTestPostgres, testPostgresUrl, unhurried } from "../../test/open-test-storage.ts";

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

test("on a host's pool, a claim has our isolation level and time-outs, whatever the database's default", async () => {
  const options = "-c default_transaction_isolation=serializable";
  const pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 1, options });
  const storage = await openTestPostgres({ pool });
  const { db, engine } = sideOf(storage);
  const schema = sql.id(engine.schema ?? "");
  await sql`
    create function ${schema}.tell() returns trigger language plpgsql as $$ begin
      raise exception 'under % and %', current_setting('transaction_isolation'), current_setting('lock_timeout');
    end $$
  `.execute(db);
  await sql`
    create trigger tell before delete on ${schema}.email_queue execute function ${schema}.tell()
  `.execute(db);
  const wants = [{ route: "w:1", lane: 1, since: 0, limit: 5 }] as const;
  const claim = storage.emailQueue.claim({ wants: [...wants], now: 9, leaseMs: 9, worker: "w", maxBytes: 9 });
  await expect(claim).rejects.toThrow(`under read committed and ${unhurried.lock / 1_000}s`);
  await sql`drop function ${schema}.tell() cascade`.execute(db);
  await storage.close();
  await pool.end();
});
