import { copyTables, sideOf } from "@posthorn/storage-sql";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { newSchema, runOnce, testPostgresUrl, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

test("a copy's reads may take as long as a migration, not only as long as a caller waits", async () => {
  const [connectionString, schema] = [await testPostgresUrl(), newSchema()];
  const source = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  onTestFinished(async () => {
    await source.close();
    await runOnce(connectionString, `drop schema "${schema}" cascade`);
  });
  await source.migrate();
  const target = await createSqliteStorage({ filename: ":memory:" });
  onTestFinished(() => target.close());
  await target.migrate();
  const { db, engine } = sideOf(source);
  // A table whose only row tells the time-out of who reads it.
  await sql`alter table ${engine.table("guards")} rename to guards_before`.execute(db);
  await sql`create view ${engine.table("guards")} as select current_setting('statement_timeout') as key,
    1::bigint as count, 1::bigint as ends_at, 1::bigint as taken`.execute(db);
  await copyTables(sideOf(source), sideOf(target));
  const [copied] = await sideOf(target).db.selectFrom("guards").select("key").execute();
  expect(copied).toEqual({ key: "10min" });
});
