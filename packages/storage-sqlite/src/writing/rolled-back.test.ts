import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { createSqliteStorage } from "../index.ts";

test("once SQLite has rolled a transaction back by itself, its later statements are refused", async () => {
  const directory = await mkdtemp(join(tmpdir(), "posthorn-sqlite-"));
  const filename = join(directory, "posthorn.db");
  const storage = await createSqliteStorage({ filename });
  await storage.migrate();
  // Like a full disk.
  const other = new Sqlite(filename);
  other.exec("create trigger full before insert on posthorn_jobs begin select raise(rollback, 'full'); end");
  other.close();
  const work = storage.transaction(async ({ operations }) => {
    await operations.beat("before", 1);
    await expect(operations.takeJob("job", "worker", 1, 2)).rejects.toThrow("full");
    await operations.beat("after", 1);
  });
  await expect(work).rejects.toThrow("SQLite rolled the transaction back");
  expect(await storage.operations.listWorkers(0)).toEqual([]);
  await storage.operations.beat("next", 1);
  expect(await storage.operations.listWorkers(0)).toHaveLength(1);
  await storage.close();
  await rm(directory, { recursive: true });
});
