import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createWriteBack } from "./write-back.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "posthorn-write-back-"));
  file = join(folder, "a.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const longBytes = 5 * 1024 * 1024;

/** A writer in WAL mode, and a commit of as many MiB. */
function openFile() {
  const database = new Sqlite(file);
  onTestFinished(() => void database.close());
  for (const pragma of ["journal_mode = WAL", "synchronous = OFF", "journal_size_limit = 0"])
    database.pragma(pragma);
  database.exec("create table t (a)");
  const commit = (mebibytes: number) =>
    void database.prepare("insert into t values (zeroblob(?))").run(mebibytes * 1024 * 1024);
  return { database, commit, walBytes: () => statSync(`${file}-wal`).size };
}

const openReader = () => {
  const reader = new Sqlite(file, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec("begin");
  reader.prepare("select count(*) from t").get();
  return reader;
};

test("a WAL that a reader let grow is written back and truncated by a thread", async () => {
  const { database, commit, walBytes } = openFile();
  const writeBack = createWriteBack(database, file, { longBytes });
  onTestFinished(() => writeBack.close());
  const leftToCommits = () => database.pragma("wal_autocheckpoint", { simple: true });
  const reader = openReader();
  for (let n = 0; n < 12; n += 1) commit(1);
  expect(leftToCommits()).toBe(1_000);
  expect(writeBack.isLong()).toBe(true);
  writeBack.committed();
  await vi.waitFor(() => expect(leftToCommits()).toBe(0), { timeout: 60_000 });
  const before = statSync(file).size;
  reader.close();
  await vi.waitFor(() => expect(leftToCommits()).toBe(1_000), { timeout: 60_000 });
  expect(statSync(file).size).toBeGreaterThan(before + 11 * 1024 * 1024);
  expect(walBytes()).toBe(0);
  expect(writeBack.isLong()).toBe(false);
});

test("one that a killed process left long is left to the thread from the start", async () => {
  const { database, commit } = openFile();
  openReader();
  for (let n = 0; n < 12; n += 1) commit(1);
  const writeBack = createWriteBack(database, file, { longBytes });
  expect(database.pragma("wal_autocheckpoint", { simple: true })).toBe(0);
  await writeBack.close();
});
