import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testStorage } from "@posthorn/core/testing/contract";
import { afterAll, beforeAll } from "vitest";
import { createSqliteStorage } from "./create-sqlite-storage.ts";

const openMigrated = async (filename: string) => {
  const storage = await createSqliteStorage({ filename });
  await storage.migrate();
  return storage;
};

let directory = "";
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "posthorn-sqlite-"));
});
afterAll(() => rm(directory, { recursive: true }));

testStorage("SQLite in memory", () => openMigrated(":memory:"));
testStorage("SQLite in a file", () => {
  files += 1;
  return openMigrated(join(directory, `${files}.db`));
});
