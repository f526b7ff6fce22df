import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { StorageUnavailable } from "@posthorn/core/storage";
import type Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { backupSqlite, createSqliteStorage } from "../index.ts";

const require = createRequire(import.meta.url);

/** Loads a copy of the driver, and so of SQLite, beside the one that the storage imports. */
const loadSecondDriver = async (target: string): Promise<typeof Sqlite> => {
  const source = dirname(require.resolve("better-sqlite3/package.json"));
  await cp(source, target, { recursive: true, filter: (path) => !/\/(deps|src)$/.test(path) });
  return require(target);
};

let home = "";
let Second: typeof Sqlite;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "posthorn-driver-"));
  Second = await loadSecondDriver(join(home, "better-sqlite3"));
});
afterAll(() => rm(home, { recursive: true }));

let handle: Sqlite.Database;
let filename = "";
/** A second file, which the handle does not have open. */
let other = "";
beforeEach(async () => {
  const folder = await mkdtemp(join(home, "file-"));
  filename = join(folder, "shop.db");
  other = join(folder, "other.db");
  handle = new Second(filename);
  handle.pragma("journal_mode = WAL");
  handle.pragma("synchronous = FULL");
  handle.pragma("foreign_keys = ON");
  handle.exec("create table orders (article text)");
});
afterEach(() => {
  vi.restoreAllMocks();
  handle.close();
});

test("writes wait for the transaction of a host whose driver is another copy, and neither overwrites the other", async () => {
  const storage = await createSqliteStorage({ database: handle, readThreadFrom: 0 });
  await storage.migrate();
  handle.exec("begin immediate");
  handle.exec("insert into orders values ('coat')");
  // The clock shows half a second more at each look, so that the write soon gives up.
  let seconds = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => {
    seconds += 0.5;
    return seconds * 1000;
  });
  await expect(storage.workspaces.insert({ name: "A", createdAt: 0 })).rejects.toThrow(StorageUnavailable);
  now.mockRestore();
  handle.exec("commit");
  await storage.workspaces.insert({ name: "B", createdAt: 0 });
  expect(handle.prepare("select article from orders").all()).toEqual([{ article: "coat" }]);
  const { items } = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 10 });
  expect(items.map(({ name }) => name)).toEqual(["B"]);
  expect(handle.pragma("integrity_check", { simple: true })).toBe("ok");
  await storage.close();
});

test("its handle is no transaction of a storage that opened the file with its own driver", async () => {
  const storage = await createSqliteStorage({ filename: other });
  const late = new Second(other);
  late.exec("begin");
  expect(() => storage.within(late)).toThrow(/another copy of better-sqlite3.*as `database`$/);
  late.exec("rollback");
  late.close();
  await storage.close();
});

/** Whether another process finds the file in use, by the locks that all open connections hold. */
const isSeenInUse = async (): Promise<boolean> => {
  const driver = JSON.stringify(require.resolve("better-sqlite3"));
  const script = `
    const database = new (require(${driver}))(${JSON.stringify(filename)}, { timeout: 0 });
    database.pragma("locking_mode = EXCLUSIVE");
    try {
      database.exec("begin immediate; rollback");
      console.log("free");
    } catch ({ code }) {
      console.log(code);
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script]);
  return stdout.startsWith("SQLITE_BUSY");
};

test("a backup, and a second storage on the file, use the host's driver: their end releases none of its locks", async () => {
  const storage = await createSqliteStorage({ database: handle });
  await storage.migrate();
  await backupSqlite(filename, join(dirname(filename), "backup.db"));
  expect(await isSeenInUse()).toBe(true);
  const second = await createSqliteStorage({ filename });
  await second.close();
  expect(await isSeenInUse()).toBe(true);
  await storage.close();
});

test("its handle is refused while a storage has the file open by the other driver, and accepted afterwards", async () => {
  const first = await createSqliteStorage({ filename: other });
  const late = new Second(other);
  for (const pragma of ["synchronous = FULL", "foreign_keys = ON"]) late.pragma(pragma);
  await expect(createSqliteStorage({ database: late })).rejects.toThrow("by another copy of better-sqlite3");
  await first.close();
  const storage = await createSqliteStorage({ database: late });
  await storage.migrate();
  await storage.close();
  late.close();
});

test("the handle may be of a class of the host's, with a constructor of its own", async () => {
  class Shop extends Second {
    constructor() {
      super(filename);
    }
  }
  const shop = new Shop();
  shop.pragma("synchronous = FULL");
  shop.pragma("foreign_keys = ON");
  const storage = await createSqliteStorage({ database: shop });
  await storage.migrate();
  handle.exec("begin immediate");
  expect(() => storage.within(handle)).not.toThrow();
  handle.exec("rollback");
  await storage.close();
  shop.close();
});
