import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createSqliteStorage } from "../index.ts";
import { createReclaim } from "./reclaim.ts";

let directory = "";
let filename = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "posthorn-sqlite-"));
  filename = join(directory, "posthorn.db");
});
afterEach(() => rm(directory, { recursive: true }));

const run = async <T>(work: () => T): Promise<T> => work();

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

test("the pause after a step is twice as long as the step, and half a second at most", async () => {
  const steps = [3, 90_000, 100];
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const pragma = (text: string) => {
    if (text.startsWith("incremental_vacuum")) now += steps.shift() ?? 0;
    return { auto_vacuum: 2, page_count: 1_000, freelist_count: steps.length * 100, page_size: 4_096 }[text];
  };
  const file = { writer: { database: { pragma } }, commits: { between: run, enqueue: run } };
  const pauses: number[] = [];
  await createReclaim(file as never, async (ms) => void pauses.push(ms))({ all: true });
  expect(pauses).toEqual([6, 500, 200]);
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
