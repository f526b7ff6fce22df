import { sideOf } from "@posthorn/storage-sql";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../../test/open-test-storage.ts";

test("values to find are looked up by an index, even in a table that was never analyzed", async () => {
  const storage = await openTestPostgres();
  const { db, engine } = sideOf(storage);
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  // A temporary table is never analyzed, while autovacuum may have analyzed the one of earlier tests.
  const young = sql`create temporary table email_recipients (like ${engine.table("email_recipients")} including all)`;
  await client.query(young.compile(db).sql);
  // Like named statements after a few executions, planned without looking at their values.
  await client.query("set plan_cache_mode = force_generic_plan");
  const planOf = async (values: RawBuilder<unknown>): Promise<string> => {
    const update = sql`update pg_temp.email_recipients as r set state = 'sent' from ${values}
      where r.email_id = v.email_id and r.kind = v.kind`;
    await client.query(`prepare settle as ${update.compile(db).sql}`);
    const { rows } = await client.query("explain execute settle('{1}', '{to}')");
    await client.query("deallocate settle");
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  const types = { email_id: "bigint", kind: "text" } as const;
  const rows = [{ email_id: 1, kind: "to" }];
  expect(await planOf(engine.valuesToFind("v", types, rows))).toContain("Index Scan using email_recipients");
  expect(await planOf(engine.valuesTable("v", types, rows))).toContain("Seq Scan");
  await client.end();
  await storage.close();
});
