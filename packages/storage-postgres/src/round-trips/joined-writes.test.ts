import { type Handle, sideOf } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { openTestPostgres } from "../../test/open-test-storage.ts";
import { asOneWrite, createJoinedTexts } from "./joined-texts.ts";
import { createJoinedWrites, type JoinedWrites } from "./joined-writes.ts";

let sent: { sql: string; parameters: readonly unknown[] }[];
let joined: JoinedWrites;

beforeEach(() => {
  sent = [];
  joined = createJoinedWrites(createJoinedTexts(asOneWrite), ({ sql, parameters }) =>
    sent.push({ sql, parameters }),
  );
});

const insert = (table: string, ...parameters: unknown[]) =>
  CompiledQuery.raw(`insert into ${table} values (${parameters.map((_, at) => `$${at + 1}`)})`, parameters);

test("writes of one turn are joined into one statement, with their own parameters", async () => {
  joined.add(insert("a", 1, 2), "emails");
  joined.add(insert("b", "x"), "events");
  joined.add(insert("c", true), "usage");
  expect(sent).toEqual([]);
  await new Promise(setImmediate);
  expect(sent).toEqual([
    {
      sql: "with w0 as (insert into a values ($1,$2)), w1 as (insert into b values ($3)) insert into c values ($4)",
      parameters: [1, 2, "x", true],
    },
  ]);
});

test("a second write to a table begins the next statement, as one statement changes a row once", () => {
  joined.add(insert("a", 1), "emails");
  joined.add(insert("b", 2), "events");
  joined.add(insert("a", 3), "emails");
  joined.flush();
  expect(sent.map(({ parameters }) => parameters)).toEqual([[1, 2], [3]]);
});

test("a single write is sent unchanged, and one that was taken out is not sent", async () => {
  joined.add(insert("a", 1), "emails");
  joined.flush();
  joined.add(insert("b", 2), "events");
  joined.take();
  await new Promise(setImmediate);
  expect(sent).toEqual([{ sql: "insert into a values ($1)", parameters: [1] }]);
});

test("waiting writes are sent before a statement with a result, and dropped on rollback", async () => {
  const storage = await openTestPostgres();
  const { id } = await storage.workspaces.insert({ name: "counted", createdAt: 1 });
  const { db, engine } = sideOf(storage);
  const types = { workspace_id: "bigint", status: "text", shard: "bigint", total: "bigint" } as const;
  const count = (tx: Handle, status: string) =>
    engine.insertRows(tx, "email_counts", types, [{ workspace_id: id, status, shard: 0, total: 1 }]);
  const seen = await db.transaction().execute(async (tx) => {
    await count(tx, "kept");
    return tx.updateTable("email_counts").set({ total: 2 }).returning(["status", "total"]).execute();
  });
  expect(seen).toEqual([{ status: "kept", total: 2 }]);
  const undone = db.transaction().execute(async (tx) => {
    await count(tx, "undone");
    throw new Error("stop");
  });
  await expect(undone).rejects.toThrow("stop");
  // On the connection just released, after statements that may have been sent too late.
  const kept = await db
    .transaction()
    .execute((tx) => tx.selectFrom("email_counts").select("status").execute());
  expect(kept).toEqual([{ status: "kept" }]);
  await storage.close();
});

test("the number of joined statement texts is bounded: writes beyond it are sent one by one", () => {
  const textOf = createJoinedTexts(asOneWrite);
  const made = Array.from({ length: 300 }, (_, at) => textOf([insert(`a${at}`, 1), insert("b", 2)]));
  expect(made.filter((text) => text !== undefined)).toHaveLength(200);
  expect(textOf([insert("a0", 5), insert("b", 6)])).toBe(made[0]);
});
