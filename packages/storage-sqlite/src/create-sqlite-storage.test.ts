import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SchemaMismatch, StorageUnavailable } from "@posthorn/core/storage";
import { createWorld } from "@posthorn/core/testing";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openWriter } from "./connections/open-database.ts";
import { backupSqlite, createSqliteStorage } from "./index.ts";

const NOW = Date.UTC(2026, 0, 1);
const everything = { offset: 0, limit: 100 };

let directory = "";
let filename = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "posthorn-sqlite-"));
  filename = join(directory, "posthorn.db");
});
afterEach(() => rm(directory, { recursive: true }));

const openMigrated = async () => {
  const storage = await createSqliteStorage({ filename });
  await storage.migrate();
  return storage;
};

describe("opening", () => {
  test("an unknown option is refused by name", async () => {
    const options: { filename: string } = { filename, ...{ file: "a.db" } };
    await expect(createSqliteStorage(options)).rejects.toThrow(
      /^there is no option file; the options are filename, database, /,
    );
  });

  test("commits are synced to disk, and deletes cascade", async () => {
    const database = await openWriter(Sqlite, filename);
    const read = (name: string) => database.pragma(name, { simple: true });
    expect(read("journal_mode")).toBe("wal");
    expect(read("synchronous")).toBe(2);
    expect(read("foreign_keys")).toBe(1);
    expect(read("trusted_schema")).toBe(0);
    expect(Number(read("busy_timeout"))).toBeLessThanOrEqual(50);
    database.close();
  });

  test("a file that isn't a database, or is damaged, is refused and left unchanged", async () => {
    await writeFile(filename, "this is no database, but long enough to be read as one".repeat(100));
    await expect(createSqliteStorage({ filename })).rejects.toThrow("not a valid SQLite file");
  });

  test("a file that loses its end while it is open is named by what meets the damage, and isn't ready again", async () => {
    const [storage, ofAnotherThread] = [await openMigrated(), await openMigrated()];
    onTestFinished(async () => {
      await Promise.all([storage.close(), ofAnotherThread.close()]);
    });
    const other = new Sqlite(filename);
    other.pragma("wal_checkpoint(truncate)");
    other.close();
    storage.assertSound?.();
    await truncate(filename, 8192);
    const damaged = `the SQLite file ${await realpath(filename)} is damaged: database disk image is malformed`;
    await expect(createWorld(storage)).rejects.toThrow(damaged);
    await expect(storage.ping()).rejects.toThrow(StorageUnavailable);
    await expect(storage.ping()).rejects.toThrow(damaged);
    await expect.poll(() => ofAnotherThread.ping().catch(String)).toContain(damaged);
    expect(() => ofAnotherThread.assertSound?.()).toThrow(damaged);
  });

  test("a file that can't be written, or has no folder, is named in the error", async () => {
    await expect(createSqliteStorage({ filename: directory })).rejects.toThrow(
      `${directory} can't be opened for writing: unable to open database file. This process must be able to write`,
    );
    const lost = join(directory, "missing", "posthorn.db");
    await expect(createSqliteStorage({ filename: lost })).rejects.toThrow(
      `${lost} can't be opened: its folder does not exist`,
    );
  });

  test.each([
    ["mail.db", "; give a path as filename"],
    [{ exec() {} }, ": another driver in this process would not see Posthorn's locks"],
  ])("a host's handle of another kind is refused: %j", async (database, advice) => {
    await expect(createSqliteStorage({ database: database as never })).rejects.toThrow(
      `database must be a better-sqlite3 handle${advice}`,
    );
  });

  test("a host's handle without foreign keys is refused", async () => {
    const database = new Sqlite(":memory:");
    database.pragma("foreign_keys = OFF");
    await expect(createSqliteStorage({ database })).rejects.toThrow("foreign_keys");
    database.close();
  });

  test("a host's handle that reads integers as big ones is a handle like any other", async () => {
    const database = new Sqlite(":memory:").defaultSafeIntegers();
    const { posthorn, addWorkspace, close } = await createWorld(await createSqliteStorage({ database }));
    const { id: workspaceId } = await addWorkspace();
    await posthorn.emails.send({ to: ["a@b.example"], subject: "S", text: "T" }, { workspaceId });
    expect(await posthorn.drain()).toBe(1);
    await close();
    database.close();
  });

  test("its files are readable by their owner only", async () => {
    const storage = await openMigrated();
    const modes = await Promise.all(
      ["", "-wal", "-shm"].map(async (suffix) => (await stat(`${filename}${suffix}`)).mode & 0o777),
    );
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    await storage.close();
  });

  test.each(["", "-wal", "-shm"])(
    "a file%s that is removed or replaced is detected by ping",
    async (suffix) => {
      const storage = await openMigrated();
      await storage.ping();
      const away = `${filename}${suffix}.away`;
      await rename(`${filename}${suffix}`, away);
      await expect(storage.ping()).rejects.toThrow(/was removed while it is in use/);
      await writeFile(`${filename}${suffix}`, "");
      await expect(storage.ping()).rejects.toThrow(/was replaced while it is in use/);
      await rename(away, `${filename}${suffix}`);
      await storage.ping();
      await storage.close();
    },
  );

  test("once a file is removed under the storage, it accepts nothing more, and tells the host", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const fatal = Promise.withResolvers<unknown>();
    const storage = await createSqliteStorage({ filename, onFatal: fatal.resolve });
    await storage.migrate();
    await rename(`${filename}-wal`, `${filename}.away`);
    vi.advanceTimersByTime(5_000);
    expect(await fatal.promise).toMatchObject({ message: expect.stringContaining("was removed") });
    const write = storage.workspaces.insert({ name: "A", createdAt: NOW });
    await expect(write).rejects.toThrow(StorageUnavailable);
    await storage.close();
  });

  test("a host's transaction on a removed file, or of a closed storage, takes no more calls", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await (await openMigrated()).close();
    const database = new Sqlite(filename);
    onTestFinished(() => void database.close());
    for (const pragma of ["synchronous = FULL", "foreign_keys = ON"]) database.pragma(pragma);
    const fatal = Promise.withResolvers<unknown>();
    const storage = await createSqliteStorage({ database, onFatal: fatal.resolve });
    database.exec("begin immediate");
    await rename(`${filename}-wal`, `${filename}.away`);
    vi.advanceTimersByTime(5_000);
    await fatal.promise;
    const insert = () => storage.within(database).workspaces.insert({ name: "A", createdAt: NOW });
    const savepoint = () => storage.within(database).savepoint(async () => {});
    for (const call of [insert, savepoint])
      await expect(call()).rejects.toMatchObject({
        isFinal: true,
        message: expect.stringContaining("was removed"),
      });
    await storage.close();
    await expect(insert()).rejects.toThrow(StorageUnavailable);
    expect(database.prepare("select count(*) from posthorn_workspaces").pluck().get()).toBe(0);
  });

  test("a closed storage refuses calls, and closing twice is harmless", async () => {
    const storage = await openMigrated();
    await storage.close();
    await storage.close();
    const closed = new StorageUnavailable("the storage is closed", { isFinal: true });
    await expect(storage.workspaces.insert({ name: "A", createdAt: NOW })).rejects.toThrow(closed);
    await expect(storage.workspaces.list({ q: undefined }, everything)).rejects.toThrow(closed);
    await expect(storage.ping()).rejects.toThrow(closed);
  });
});

describe("with other users of the file", () => {
  test("a writer that can't get the write lock finds the storage unavailable, and reads continue", async () => {
    const storage = await openMigrated();
    const other = new Sqlite(filename);
    other.exec("begin immediate");
    const write = storage.workspaces.insert({ name: "A", createdAt: NOW });
    const refused = expect(write).rejects.toThrow(StorageUnavailable);
    expect(await storage.workspaces.list({ q: undefined }, everything)).toEqual({ items: [], total: 0 });
    await refused;
    other.exec("rollback");
    expect(await storage.workspaces.insert({ name: "A", createdAt: NOW })).toMatchObject({ name: "A" });
    other.close();
    await storage.close();
  });

  test("another process's commits notify", async () => {
    const [one, other] = [await openMigrated(), await createSqliteStorage({ filename })];
    const heard = Promise.withResolvers<void>();
    const stop = one.subscribe((topic) => {
      if (topic === "events") heard.resolve();
    });
    await other.workspaces.insert({ name: "A", createdAt: NOW });
    await expect(heard.promise).resolves.toBeUndefined();
    stop();
    await Promise.all([one.close(), other.close()]);
  });

  test("another storage of this process notifies at once, and only of commits with notifications", async () => {
    const [one, other] = [await openMigrated(), await createSqliteStorage({ filename })];
    const heard = Promise.withResolvers<string>();
    // A listener that polls for commits is called with every topic, e-mails first.
    const stop = one.subscribe((topic) => heard.resolve(topic));
    await other.notify(["webhooks"]);
    expect(await heard.promise).toBe("webhooks");
    stop();
    await Promise.all([one.close(), other.close()]);
  });

  test("a backup is a complete database, and never overwrites", async () => {
    const storage = await openMigrated();
    await storage.workspaces.insert({ name: "A", createdAt: NOW });
    const target = join(directory, "backup.db");
    await backupSqlite(filename, target);
    await expect(backupSqlite(filename, target)).rejects.toThrow("exists");
    await storage.close();
    const copy = await createSqliteStorage({ filename: target });
    expect(await copy.migrate()).toEqual([]);
    expect((await copy.workspaces.list({ q: undefined }, everything)).total).toBe(1);
    await copy.close();
  });
});

describe("migrating from many processes", () => {
  const index = new URL("./index.ts", import.meta.url).href;
  const script = `
    const { createSqliteStorage } = await import(${JSON.stringify(index)});
    const storage = await createSqliteStorage({ filename: process.argv[1] });
    process.stdout.write("open\\n");
    const names = await storage.migrate();
    process.stdout.write(JSON.stringify(names) + "\\n");
    await storage.close();`;
  const start = () =>
    spawn(
      process.execPath,
      ["--conditions=posthorn-source", "--no-warnings", "--input-type=module", "-e", script, filename],
      { stdio: ["ignore", "pipe", "pipe"] },
    );

  test("five at once all succeed, and each migration runs once", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const child = start();
        let output = "";
        let errors = "";
        child.stdout.on("data", (chunk) => (output += chunk));
        child.stderr.on("data", (chunk) => (errors += chunk));
        const [code] = await once(child, "close");
        return { code, errors, ran: JSON.parse(output.split("\n")[1] || "null") as string[] | null };
      }),
    );
    expect(outcomes.map(({ code, errors }) => ({ code, errors }))).toEqual(
      Array(5).fill({ code: 0, errors: "" }),
    );
    expect(outcomes.filter(({ ran }) => ran && ran.length > 0)).toHaveLength(1);
  });

  test("after a kill in the middle, the next start migrates", async () => {
    for (let round = 0; round < 3; round += 1) {
      const child = start();
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "close");
    }
    const storage = await openMigrated();
    expect((await storage.migrations()).every(({ appliedAt }) => appliedAt !== undefined)).toBe(true);
    await storage.close();
  });

  test("a database of a newer version is refused", async () => {
    await (await openMigrated()).close();
    const database = new Sqlite(filename);
    database.exec("insert into posthorn_schema_migrations values ('9999-future', 'x', 1)");
    database.close();
    const storage = await createSqliteStorage({ filename });
    await expect(storage.migrate()).rejects.toThrow(SchemaMismatch);
    await expect(storage.migrate()).rejects.toThrow("run a newer version");
    expect((await storage.migrations()).filter(({ isKnown }) => !isKnown)).toEqual([
      { name: "9999-future", appliedAt: 1, isKnown: false },
    ]);
    await storage.close();
  });
});
