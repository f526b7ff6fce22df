import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { backupSqlite } from "./backup-sqlite.ts";
import { createSqliteStorage } from "./create-sqlite-storage.ts";
import { isSqliteInUse } from "./file/is-sqlite-in-use.ts";

/** Writes after which the test gives up waiting for the backup. */
const maxWrites = 50_000;

test("a backup ends during continuous writes, and shows one instant", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [source, copy] = [join(folder, "a.db"), join(folder, "b.db")];
  const storage = await createSqliteStorage({ filename: source });
  onTestFinished(() => storage.close());
  await storage.migrate();
  const writer = new Sqlite(source);
  onTestFinished(() => void writer.close());
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = OFF");
  writer.exec("create table first (n integer); create table filling (b blob); create table last (n integer)");
  // 1,000 pages: the signal is checked more than eight times.
  writer.exec("insert into filling select zeroblob(4000000)");
  const write = writer.transaction((n: number) => {
    writer.prepare("insert into first values (?)").run(n);
    writer.prepare("insert into last values (?)").run(n);
  });
  let writes = 0;
  let isDone = false;
  const goOn = (): void => {
    if (isDone || writes === maxWrites) return;
    writes += 1;
    write(writes);
    setImmediate(goOn);
  };
  const backup = backupSqlite(source, copy).finally(() => {
    isDone = true;
  });
  goOn();
  await backup;
  expect(writes).toBeGreaterThan(5);
  expect(writes).toBeLessThan(maxWrites);
  const reader = new Sqlite(copy, { readonly: true });
  onTestFinished(() => void reader.close());
  const counts = reader
    .prepare("select (select count(*) from first) as a, (select count(*) from last) as b")
    .get();
  const { a, b } = counts as { a: number; b: number };
  expect(a).toBe(b);
});

test("of two backups to one file the second is refused, and does not touch the first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [source, copy] = [join(folder, "a.db"), join(folder, "b.db")];
  const original = await createSqliteStorage({ filename: source });
  onTestFinished(() => original.close());
  await original.migrate();
  const first = backupSqlite(source, copy);
  await expect(backupSqlite(source, copy)).rejects.toThrow(`${copy} exists already`);
  await first;
  const restored = await createSqliteStorage({ filename: copy });
  onTestFinished(() => restored.close());
  expect(await restored.operations.findFact("restored_copy")).toBeDefined();
});

test("a backup of nothing, or of a file that is not there, is refused by what is missing", async () => {
  const words = "backupSqlite takes the names of two files: the database, and the copy to make";
  const missing = join(tmpdir(), "posthorn-no-such.db");
  for (const names of [[], [missing], [{}, missing], ["", missing]])
    await expect(backupSqlite(...(names as [string, string]))).rejects.toThrow(new TypeError(words));
  await expect(backupSqlite(missing, `${missing}-copy`)).rejects.toThrow(`${missing} does not exist`);
});

test("a backup contains no running workers, so that nothing waits for them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [source, copy] = [join(folder, "a.db"), join(folder, "b.db")];
  const original = await createSqliteStorage({ filename: source });
  onTestFinished(() => original.close());
  await original.migrate();
  await original.operations.beat("w", await original.now());
  await backupSqlite(source, copy);
  const restored = await createSqliteStorage({ filename: copy });
  onTestFinished(() => restored.close());
  expect(await restored.operations.listWorkers(0)).toEqual([]);
  expect(await original.operations.listWorkers(0)).toHaveLength(1);
});

test.skipIf(process.platform !== "linux")(
  "a backup in the place of a database whose process was killed is refused until that one's WAL is removed",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "posthorn-backup-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [source, copy, place] = [join(folder, "a.db"), join(folder, "b.db"), join(folder, "c.db")];
    const original = await createSqliteStorage({ filename: source });
    onTestFinished(() => original.close());
    await original.migrate();
    await backupSqlite(source, copy);
    await original.operations.keepFact("made_by", "written after the backup");
    // What a killed process leaves.
    for (const end of ["", "-wal", "-shm"]) copyFileSync(source + end, place + end);
    copyFileSync(copy, place);
    const refusal = `remove ${place}-wal and ${place}-shm`;
    await expect(createSqliteStorage({ filename: place })).rejects.toThrow(refusal);
    await expect(isSqliteInUse(place)).rejects.toThrow(refusal);
    await expect(backupSqlite(place, join(folder, "d.db"))).rejects.toThrow(refusal);
    for (const end of ["-wal", "-shm"]) rmSync(place + end);
    const restored = await createSqliteStorage({ filename: place });
    onTestFinished(() => restored.close());
    expect(await restored.operations.findFact("made_by")).toBeUndefined();
    expect(await restored.operations.findFact("restored_copy")).toBeDefined();
  },
);

test("a database whose process was killed opens with its own WAL", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [source, place] = [join(folder, "a.db"), join(folder, "b.db")];
  const original = await createSqliteStorage({ filename: source });
  onTestFinished(() => original.close());
  await original.migrate();
  await original.operations.keepFact("made_by", "in the WAL");
  for (const end of ["", "-wal"]) copyFileSync(source + end, place + end);
  const after = await createSqliteStorage({ filename: place });
  onTestFinished(() => after.close());
  expect(await after.operations.findFact("made_by")).toBe("in the WAL");
});
