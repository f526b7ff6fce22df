import { existsSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, runCommand } from "./run-command.ts";

test("a source without tables of Posthorn is refused and gets none: a copy of nothing seemed complete", async () => {
  const cwd = makeFolder();
  const other = new Sqlite(join(cwd, "other.db"));
  onTestFinished(() => void other.close());
  other.exec("create table orders (article text)");
  other.pragma("journal_mode = WAL");
  other.close();
  const args = ["copy", "--from", "sqlite:other.db", "--to", "sqlite:new.db"];
  const { code, stderr } = await runCommand(args, { cwd });
  expect(stderr).toMatch(/other\.db has no tables of Posthorn\.\n.*--from/);
  expect(code).toBe(5);
  expect(existsSync(join(cwd, "new.db"))).toBe(false);
  const after = new Sqlite(join(cwd, "other.db"));
  onTestFinished(() => void after.close());
  expect(after.prepare("select name from sqlite_schema").pluck().all()).toEqual(["orders"]);
});
