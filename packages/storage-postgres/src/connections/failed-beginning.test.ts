import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

/** Makes the next transaction's beginning fail as a cancelled one does: no transaction is open after it. */
function failNextBeginning(): void {
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => spy.mockRestore());
  let isLeft = true;
  spy.mockImplementation(function (this: pg.Client, ...asked: unknown[]) {
    const [first] = asked as [{ text?: string; legs?: { text: string }[] }];
    const begins = [first, ...(first.legs ?? [])].filter(({ text }) => isLeft && /^begin\b/.test(text ?? ""));
    for (const one of begins) {
      one.text = "select 1 / 0";
      isLeft = false;
    }
    return Reflect.apply(query, this, asked);
  });
}

test.each([false, true])(
  "nothing is written by a transaction whose beginning failed, through a pooler: %s",
  async (transactionPooler) => {
    const { connectionString, schema, giveBack } = await takeTestSchema();
    const storage = await createPostgresStorage({
      connectionString,
      schema,
      transactionPooler,
      timeouts: unhurried,
    });
    const { db, engine } = sideOf(storage);
    const write = (key: string) =>
      sql`insert into ${engine.table("guards")} (key, count, ends_at, taken) values (${key}, 1, 1, 1)`;
    failNextBeginning();
    const failed = db.transaction().execute(async (tx) => {
      await Promise.all([write("one").execute(tx), write("two").execute(tx)]);
      await write("three").execute(tx);
    });
    await expect(failed).rejects.toThrow("division by zero");
    const { rows } = await sql`select * from ${engine.table("guards")}`.execute(db);
    expect(rows).toEqual([]);
    await storage.close();
    await giveBack();
  },
);
