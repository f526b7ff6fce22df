import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

/** Makes the next statement that begins so fail, as a cancelled one does: a beginning opens no transaction. */
function failNext(start: RegExp): void {
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => spy.mockRestore());
  let isLeft = true;
  spy.mockImplementation(function (this: pg.Client, ...asked: unknown[]) {
    const [first] = asked as [{ text?: string; legs?: { text: string }[] }];
    const found = [first, ...(first.legs ?? [])].filter(({ text }) => isLeft && start.test(text ?? ""));
    for (const one of found) {
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
    failNext(/^begin\b/);
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

test("a connection on which a rollback failed is not used again", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, max: 1, timeouts: unhurried });
  failNext(/^rollback$/);
  const failed = storage.transaction(async ({ workspaces }) => {
    await workspaces.insert({ name: "Acme", createdAt: 1 });
    throw new Error("failed");
  });
  await expect(failed).rejects.toThrow("failed");
  const { id } = await storage.workspaces.insert({ name: "Apex", createdAt: 1 });
  const { items } = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 10 });
  expect(items.map((one) => one.id)).toEqual([id]);
  await storage.close();
  await giveBack();
});
