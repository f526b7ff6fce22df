import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testStorage } from "@posthorn/core/testing/contract";
import { afterAll } from "vitest";
import { createTestSqlites, openTestSqlite } from "../test/open-test-sqlite.ts";

testStorage("SQLite in memory", openTestSqlite);

const directory = mkdtempSync(join(tmpdir(), "posthorn-sqlite-"));
let files = 0;
const inFiles = createTestSqlites(() => {
  files += 1;
  return join(directory, `${files}.db`);
});
afterAll(async () => {
  await inFiles.end();
  rmSync(directory, { recursive: true });
});
testStorage("SQLite in a file", inFiles.open);
