import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openStorage } from "../../service/database/open-storage.ts";
import { writeBackup } from "./write-backup.ts";

async function openSource() {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = join(folder, "a.db");
  const storage = await createSqliteStorage({ filename: source });
  onTestFinished(() => storage.close());
  await storage.migrate();
  const list = () => readdirSync(folder).filter((name) => !name.startsWith("a.db"));
  return { folder, source, copy: join(folder, "copy.db"), list };
}

test.each(["SIGTERM", "SIGQUIT", "SIGHUP", "Ctrl-C"])(
  "a backup interrupted by %s leaves the previous one intact, and nothing else",
  async (ending) => {
    const { source, copy, list } = await openSource();
    writeFileSync(copy, "former");
    const interruption = new AbortController();
    const writing = writeBackup(source, copy, interruption.signal);
    if (ending === "Ctrl-C") interruption.abort();
    else process.emit(ending as NodeJS.Signals);
    await expect(writing).rejects.toMatchObject({ failure: "interrupted" });
    expect(list()).toEqual(["copy.db"]);
    expect(readFileSync(copy, "utf8")).toBe("former");
  },
);

test("a backup that can't be written says why", async () => {
  const { source, folder } = await openSource();
  const copy = join(folder, "missing", "copy.db");
  await expect(writeBackup(source, copy, new AbortController().signal)).rejects.toMatchObject({
    failure: "not_found",
    message: `The backup to ${copy} failed: its folder does not exist.`,
  });
});

test.each([
  ["an empty file", "conflict", "it has no tables of Posthorn", ""],
  ["a file without Posthorn's tables", "conflict", "it has no tables of Posthorn", undefined],
  ["a file that is no database", "unavailable", "it is not a valid SQLite file", "x".repeat(8192)],
])("a backup of %s is refused, as %s, and leaves the former copy", async (_, failure, words, content) => {
  const { folder, copy, list } = await openSource();
  const source = join(folder, "a.db.other");
  writeFileSync(source, content ?? "");
  if (content === undefined) new Sqlite(source).exec("create table orders (article text)").close();
  writeFileSync(copy, "former");
  await expect(writeBackup(source, copy, new AbortController().signal)).rejects.toMatchObject({
    failure,
    message: `The backup of ${source} failed: ${words}.`,
  });
  expect(list()).toEqual(["copy.db"]);
  expect(readFileSync(copy, "utf8")).toBe("former");
});

test("a backup of a damaged database is refused, and leaves the former copy", async () => {
  const { folder, source, copy, list } = await openSource();
  const { signal } = new AbortController();
  await writeBackup(source, copy, signal);
  const former = readFileSync(copy);
  const damaged = join(folder, "a.db.damaged");
  const file = new Sqlite(copy, { readonly: true });
  const page = file
    .prepare("select rootpage from sqlite_schema where name = 'posthorn_emails'")
    .pluck()
    .get();
  file.close();
  writeFileSync(damaged, Buffer.from(former).fill(0xa5, (Number(page) - 1) * 4096, Number(page) * 4096));
  const refusal = { failure: "unavailable", message: `The backup of ${damaged} failed: it is damaged.` };
  await expect(writeBackup(damaged, copy, signal)).rejects.toMatchObject(refusal);
  expect(list()).toEqual(["copy.db"]);
  expect(readFileSync(copy).equals(former)).toBe(true);
  await expect(openStorage({ database_url: `sqlite:${damaged}` })).rejects.toMatchObject({
    message: `The database ${damaged} is unavailable: it is damaged.`,
    hint: "Restore a backup.",
  });
});

test("a backup removes the temporary files of killed backups to the same file, but not of a running one", async () => {
  const { folder, source, copy, list } = await openSource();
  // Linux gives no process a number above 4,194,304.
  for (const name of ["999999999.partial", "999999999.partial-journal", `${process.pid}.partial`])
    writeFileSync(`${copy}.${name}`, "left");
  for (const name of [
    `copy.db.${process.ppid}.partial`,
    "copy.db.mine.partial",
    "other.db.999999999.partial",
  ])
    writeFileSync(join(folder, name), "of others");
  await writeBackup(source, copy, new AbortController().signal);
  expect(list().sort()).toEqual(
    [
      "copy.db",
      `copy.db.${process.ppid}.partial`,
      "copy.db.mine.partial",
      "other.db.999999999.partial",
    ].sort(),
  );
  expect(statSync(copy).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform !== "linux")(
  "a backup of a restored copy that has another database's WAL beside it says what to remove",
  async () => {
    const { folder, source, copy } = await openSource();
    const { signal } = new AbortController();
    await writeBackup(source, copy, signal);
    copyFileSync(`${source}-wal`, `${copy}-wal`);
    await expect(writeBackup(copy, join(folder, "next.db"), signal)).rejects.toMatchObject({
      failure: "conflict",
      message: `The backup of ${copy} failed: ${copy}-wal is left from the database that ${copy} replaces, and would be mixed into it: remove ${copy}-wal and ${copy}-shm.`,
    });
  },
);
