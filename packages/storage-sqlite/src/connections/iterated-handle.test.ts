import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "../index.ts";

async function openOnHandle() {
  const database = new Sqlite(":memory:");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  const storage = await createSqliteStorage({ database });
  onTestFinished(async () => {
    await storage.close();
    database.close();
  });
  await storage.migrate();
  return { database, storage };
}

test("a call that fails because the host iterates over its handle leaves nothing, and the iteration goes on", async () => {
  const { database, storage } = await openOnHandle();
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
  await expect(failed).rejects.toThrow("in the middle of an iterate()");
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

test("a call while the host iterates over its handle says so, at the handle's first use and later", async () => {
  const { database, storage } = await openOnHandle();
  const words = "in the middle of an iterate()";
  const numbers = database.prepare("values (1), (2)");
  database.exec("begin immediate");
  for (const _ of numbers.iterate()) expect(() => storage.within(database)).toThrow(words);
  const { savepoint } = storage.within(database);
  const add = () => savepoint(({ workspaces }) => workspaces.insert({ name: "Shop", createdAt: 1 }));
  for (const _ of numbers.iterate()) await expect(add()).rejects.toThrow(words);
  expect(await add()).toMatchObject({ name: "Shop" });
  database.exec("commit");
});
