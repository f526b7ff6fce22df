import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "../create-sqlite-storage.ts";
import { isSqliteInUse } from "./is-sqlite-in-use.ts";

test("a database is in use while a storage has it open, even idle, and the check does not disturb it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-use-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, "a.db");
  const storage = await createSqliteStorage({ filename });
  await storage.migrate();
  expect(await isSqliteInUse(filename)).toBe(true);
  await storage.workspaces.insert({ name: "Shop", createdAt: 1 });
  await storage.close();
  expect(await isSqliteInUse(filename)).toBe(false);
  expect(readdirSync(folder)).toEqual(["a.db"]);
  const again = await createSqliteStorage({ filename });
  expect((await again.workspaces.insert({ name: "Second", createdAt: 1 })).id).toBe(2);
  await again.close();
});
