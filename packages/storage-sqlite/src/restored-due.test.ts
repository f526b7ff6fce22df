import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "./index.ts";

test("webhook deliveries of a clock that was ahead are looked for beside a writer, who is not kept waiting", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-restored-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const filename = join(folder, "a.db");
  const storage = await createSqliteStorage({ filename });
  onTestFinished(() => storage.close());
  await storage.migrate();
  const writer = new Sqlite(filename);
  onTestFinished(() => void writer.close());
  writer.exec("begin immediate");
  expect(await storage.webhookDeliveries.restoreDue(1)).toBe(0);
  writer.exec("rollback");
});
