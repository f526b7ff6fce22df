import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "./index.ts";

test("a call that fails because the host iterates over its handle leaves nothing, and the iteration goes on", async () => {
  const database = new Sqlite(":memory:");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  const storage = await createSqliteStorage({ database });
  onTestFinished(async () => {
    await storage.close();
    database.close();
  });
  await storage.migrate();
  database.exec("create table numbers (n integer); insert into numbers values (1), (2), (3)");
  const numbers = database.prepare("select n from numbers order by n").pluck();
  database.exec("begin immediate");
  const read: unknown[] = [];
  let iterating: Iterator<unknown> | undefined;
  const failed = storage.within(database).savepoint(async ({ workspaces, guards }) => {
    await workspaces.insert({ name: "half", createdAt: 1 });
    iterating = numbers.iterate();
    read.push(iterating.next().value);
    await guards.clear("other half");
  });
  await expect(failed).rejects.toThrow("busy executing a query");
  for (let next = iterating?.next(); next && !next.done; next = iterating?.next()) read.push(next.value);
  expect(read).toEqual([1, 2, 3]);
  // The driver guards the handle as before.
  const other = numbers.iterate();
  other.next();
  expect(() => database.exec("delete from numbers")).toThrow("busy executing a query");
  other.return?.();
  database.exec("commit");
  expect(database.prepare("select name from posthorn_workspaces").pluck().all()).toEqual([]);
});
