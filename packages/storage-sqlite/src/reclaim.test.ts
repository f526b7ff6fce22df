import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteStorage } from "./index.ts";

let directory = "";
let filename = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "posthorn-sqlite-"));
  filename = join(directory, "posthorn.db");
});
afterEach(() => rm(directory, { recursive: true }));

const sizeNow = async (): Promise<number> => (await stat(filename)).size;

/** Writes two megabytes of contents and then deletes them. */
async function fillAndEmpty() {
  const storage = await createSqliteStorage({ filename });
  await storage.migrate();
  const { id } = await storage.workspaces.insert({ name: "Shop", isTrusted: true, createdAt: 1 });
  for (let n = 0; n < 20; n += 1) {
    const stylesheetSetId = await storage.contents.putStylesheetSet(`${n} `.padEnd(100_000, "secret "));
    await storage.workspaces.update(id, { stylesheetSetId, updatedAt: 1 });
  }
  await storage.workspaces.update(id, { stylesheetSetId: undefined, updatedAt: 1 });
  while ((await storage.contents.deleteUnused(5)) > 0);
  return storage;
}

test("the file shrinks by what was removed, except for a twentieth", async () => {
  const storage = await fillAndEmpty();
  expect(await storage.reclaim({ stopped: () => true })).toBe(0);
  const freed = await storage.reclaim();
  expect(freed).toBeGreaterThan(1_500_000);
  const size = await sizeNow();
  expect(size).toBeLessThan(1_000_000);
  expect(await storage.reclaim()).toBe(0);
  expect(await storage.reclaim({ all: true })).toBeGreaterThan(0);
  expect(await sizeNow()).toBeLessThan(size);
  await storage.close();
});

test("a file created by other software is not changed", async () => {
  const host = new Sqlite(filename);
  host.exec("create table theirs (id integer primary key)");
  host.close();
  const storage = await fillAndEmpty();
  const size = await sizeNow();
  expect(await storage.reclaim({ all: true })).toBe(0);
  expect(await sizeNow()).toBeGreaterThanOrEqual(size);
  await storage.close();
});
