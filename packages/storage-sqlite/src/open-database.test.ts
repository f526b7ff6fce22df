import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openWriter } from "./open-database.ts";

test("a WAL that a long reader let grow gives its space back once the reader has left", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-wal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, "a.db");
  const writer = await openWriter(Sqlite, filename);
  onTestFinished(() => void writer.close());
  writer.exec("create table filling (b blob)");
  const reader = new Sqlite(filename, { readonly: true });
  onTestFinished(() => void reader.close());
  const walBytes = (): number => statSync(`${filename}-wal`).size;
  reader.exec("begin");
  reader.prepare("select count(*) from filling").get();
  writer.exec("insert into filling values (zeroblob(20000000))");
  expect(walBytes()).toBeGreaterThan(20_000_000);
  reader.exec("commit");
  // The first commit writes the WAL back, the second begins it anew.
  for (let n = 0; n < 2; n += 1) writer.exec("insert into filling values (zeroblob(1))");
  expect(walBytes()).toBeLessThanOrEqual(16 * 1024 * 1024);
});
