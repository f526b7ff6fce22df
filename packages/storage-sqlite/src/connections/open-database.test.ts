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

test("a file that SQLite can only read is refused, not each write to it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-read-only-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, "a.db");
  (await openWriter(Sqlite, filename)).close();
  // As SQLite itself does where the file's rights allow no more, which the tests may be above.
  const reading = class extends Sqlite {
    constructor(name: string, options: Sqlite.Options) {
      super(name, { ...options, readonly: true });
    }
  };
  await expect(openWriter(reading as typeof Sqlite, filename)).rejects.toThrow(
    `${filename} can't be opened for writing: attempt to write a readonly database`,
  );
});

test("a file that another process writes to is opened nevertheless", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-written-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, "a.db");
  const other = await openWriter(Sqlite, filename);
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  const writer = await openWriter(Sqlite, filename);
  onTestFinished(() => void writer.close());
  expect(writer.inTransaction).toBe(false);
});
