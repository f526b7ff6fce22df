import { expect, onTestFinished, test, vi } from "vitest";
import { backupSqlite } from "./backup-sqlite.ts";
import { createSqliteStorage } from "./create-sqlite-storage.ts";
import { isSqliteInUse } from "./file/is-sqlite-in-use.ts";

vi.mock("better-sqlite3", () => {
  throw new Error("the driver was loaded");
});

test("an older Node is refused in words, before the driver is loaded, which would crash the process", async () => {
  const { versions } = process;
  onTestFinished(() => void Object.defineProperty(process, "versions", { value: versions }));
  Object.defineProperty(process, "versions", { value: { ...versions, node: "22.18.0" } });
  const refusal = "Posthorn's SQLite storage needs Node 22.19 or newer, and this is 22.18.0";
  await expect(createSqliteStorage({ filename: "a.db" })).rejects.toThrow(refusal);
  await expect(isSqliteInUse("a.db")).rejects.toThrow(refusal);
  await expect(backupSqlite("a.db", "b.db")).rejects.toThrow(refusal);
});
