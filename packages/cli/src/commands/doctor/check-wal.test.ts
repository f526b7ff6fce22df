import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkWal } from "./check-wal.ts";

test("a WAL that a reader keeps from being written back is reported, with the processes that have it open", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "posthorn-wal-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a.db");
  const processes = join(folder, "proc");
  expect(await checkWal(file, processes)).toMatchObject({ state: "ok", found: "0 MiB" });
  writeFileSync(`${file}-wal`, "");
  truncateSync(`${file}-wal`, 64 * 1024 * 1024);
  expect(await checkWal(file, processes)).toMatchObject({ state: "ok", found: "64 MiB" });
  truncateSync(`${file}-wal`, 65 * 1024 * 1024);
  for (const pid of ["7", String(process.pid)]) {
    mkdirSync(join(processes, pid, "fd"), { recursive: true });
    symlinkSync(`${file}-wal`, join(processes, pid, "fd", "3"));
  }
  expect(await checkWal(file, processes)).toMatchObject({
    check: "WAL",
    state: "warning",
    found: `65 MiB in ${file}-wal: a program keeps a transaction open on the file, in use by process 7`,
  });
});
