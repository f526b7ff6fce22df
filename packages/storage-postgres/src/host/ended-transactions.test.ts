import { setImmediate } from "node:timers/promises";
import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTestPostgres } from "../../test/open-test-storage.ts";

test("a statement that comes while its transaction is rolled back is refused, and writes nothing", async () => {
  const storage = await openTestPostgres();
  const { db, engine } = sideOf(storage);
  const count = async (): Promise<number> => {
    const read = sql<{ count: number }>`select count(*)::int as count from ${engine.table("guards")}`;
    return (await db.executeQuery(read.compile(db))).rows[0]?.count ?? -1;
  };
  const write = sql`insert into ${engine.table("guards")} (key, count, ends_at) values ('late', 1, 1)`;
  let late: Promise<unknown> | undefined;
  const failed = db.transaction().execute(async (tx) => {
    await tx.executeQuery(sql`select 1`.compile(tx));
    // The next turn comes before the server's answer to the rollback.
    late = setImmediate().then(() => tx.executeQuery(write.compile(tx)));
    late.catch(() => {});
    throw new Error("failed");
  });
  await expect(failed).rejects.toThrow("failed");
  await expect(late).rejects.toThrow("the transaction has ended");
  expect(await count()).toBe(0);
  await storage.close();
});
