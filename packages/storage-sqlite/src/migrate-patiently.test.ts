import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StorageUnavailable } from "@posthorn/core/storage";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSqliteStorage } from "./index.ts";

let directory = "";
let holder: Sqlite.Database;
let storage: Awaited<ReturnType<typeof createSqliteStorage>>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "posthorn-sqlite-"));
  const filename = join(directory, "mail.db");
  storage = await createSqliteStorage({ filename });
  holder = new Sqlite(filename);
  holder.exec("begin immediate");
});
afterEach(async () => {
  vi.restoreAllMocks();
  holder.close();
  await storage.close();
  await rm(directory, { recursive: true });
});

/** Lets half a second pass with each look at the clock, and calls back after each. */
const passHalfSeconds = (told: (seconds: number) => void): void => {
  let seconds = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    seconds += 0.5;
    told(seconds);
    return seconds * 1000;
  });
};

test("waits longer than other transactions for a process that holds the file", async () => {
  let wasRefusedAt = Number.POSITIVE_INFINITY;
  let last = 0;
  passHalfSeconds((seconds) => {
    last = seconds;
    if (seconds > wasRefusedAt + 6 && holder.inTransaction) holder.exec("commit");
  });
  await expect(storage.transaction(async () => {})).rejects.toThrow(StorageUnavailable);
  wasRefusedAt = last;
  expect(await storage.migrate()).not.toEqual([]);
  expect(holder.inTransaction).toBe(false);
});

test("gives up after ten seconds", async () => {
  let last = 0;
  passHalfSeconds((seconds) => {
    last = seconds;
  });
  await expect(storage.migrate()).rejects.toThrow(StorageUnavailable);
  expect(last).toBeGreaterThan(10);
});
