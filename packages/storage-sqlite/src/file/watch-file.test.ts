import { spawnSync } from "node:child_process";
import { mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSqliteStorage } from "../index.ts";
import { watchContinuously } from "./watch-file.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "posthorn-watch-"));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

test("a check under way when the storage is closed tells of no fault, though the WAL is gone", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const faults: string[] = [];
  const checks: PromiseWithResolvers<void>[] = [];
  const assertSame = () => {
    const check = Promise.withResolvers<void>();
    checks.push(check);
    return check.promise;
  };
  const failAll = async () => {
    for (const check of checks) check.reject(new Error("the file was removed"));
    await new Promise(setImmediate);
  };
  const closed = watchContinuously({ assertSame }, (reason) => faults.push(reason));
  vi.advanceTimersByTime(5_000);
  closed.close();
  await failAll();
  expect(faults).toEqual([]);

  // Of a watch that is not closed it is told, once.
  watchContinuously({ assertSame }, (reason) => faults.push(reason));
  vi.advanceTimersByTime(10_000);
  await failAll();
  expect(faults).toEqual(["the file was removed"]);
});

test("a file with a relative path is still the same once the process has changed its folder", () => {
  const program = `
    const { createSqliteStorage } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
    const storage = await createSqliteStorage({ filename: "shop.db" });
    await storage.migrate();
    process.chdir("/");
    await storage.ping();
    await storage.close();
    console.log("the same");`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=posthorn-source", "--input-type=module", "--eval", program],
    { encoding: "utf8", cwd: folder },
  );
  expect({ stdout, stderr }).toEqual({ stdout: "the same\n", stderr: "" });
});

test("of a file opened by a link, the removal of the WAL is detected, and the link's replacement", async () => {
  // Looked for by what is asked only, as a continuous check may come while the WAL is away.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const file = join(folder, "shop.db");
  const filename = join(folder, "link.db");
  await (await createSqliteStorage({ filename: file })).close();
  await symlink(file, filename);
  const storage = await createSqliteStorage({ filename });
  await storage.migrate();
  await storage.ping();
  await rename(`${file}-wal`, `${file}-away`);
  await expect(storage.ping()).rejects.toThrow("shop.db-wal was removed");
  await rename(`${file}-away`, `${file}-wal`);
  await (await createSqliteStorage({ filename: join(folder, "other.db") })).close();
  await rm(filename);
  await symlink(join(folder, "other.db"), filename);
  await expect(storage.ping()).rejects.toThrow("link.db was replaced");
  await storage.close();
});
