import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageUnavailable } from "@posthorn/core/storage";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSqliteStorage } from "../index.ts";

const told = "is also open in this process by another copy of SQLite";

let folder = "";
let filename = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "posthorn-copies-"));
  filename = join(folder, "shop.db");
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const openOtherCopy = (): DatabaseSync => {
  const other = new DatabaseSync(filename);
  other.exec("pragma journal_mode = WAL; create table if not exists orders (article text)");
  return other;
};

test.runIf(process.platform === "linux")(
  "a file that another copy of SQLite in the process has open is refused, and accepted once it is closed",
  async () => {
    const other = openOtherCopy();
    await expect(createSqliteStorage({ filename })).rejects.toThrow(told);
    other.close();
    const storage = await createSqliteStorage({ filename });
    await storage.migrate();
    await storage.close();
  },
);

test.runIf(process.platform === "linux")(
  "once another copy of SQLite in the process opens the file, the storage fails instead of losing commits",
  async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const fatal = Promise.withResolvers<unknown>();
    const storage = await createSqliteStorage({ filename, onFatal: fatal.resolve });
    await storage.migrate();
    const other = openOtherCopy();
    vi.advanceTimersByTime(5_000);
    expect(await fatal.promise).toMatchObject({ message: expect.stringContaining(told) });
    const late = storage.operations.beat("late", 1);
    await expect(late).rejects.toThrow(StorageUnavailable);
    await expect(late).rejects.toThrow(told);
    other.close();
    await storage.close();
  },
);

test("any number of connections of one copy, in one storage or several, are no second copy", async () => {
  const handle = new Sqlite(filename);
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"])
    handle.pragma(pragma);
  const first = await createSqliteStorage({ database: handle });
  const second = await createSqliteStorage({ filename, readThreadFrom: 0 });
  await first.migrate();
  await second.workspaces.list({ q: undefined }, { offset: 0, limit: 10 });
  await expect(first.ping()).resolves.toBeUndefined();
  await expect(second.ping()).resolves.toBeUndefined();
  await first.close();
  await second.close();
  handle.close();
});
