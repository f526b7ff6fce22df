import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JoinedRepositories } from "@posthorn/core/storage";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "../index.ts";

const createdAt = Date.UTC(2026, 0, 1);

test("calls of two services at the same time take turns in one transaction of the host's", async () => {
  const directory = await mkdtemp(join(tmpdir(), "posthorn-shared-"));
  const database = new Sqlite(join(directory, "shop.db"));
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"])
    database.pragma(pragma);
  const [one, other] = [
    await createSqliteStorage({ database }),
    await createSqliteStorage({ database, tablePrefix: "other_" }),
  ];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
    database.close();
    await rm(directory, { recursive: true });
  });
  for (const storage of [one, other]) await storage.migrate();
  const insert = async ({ workspaces }: JoinedRepositories, ...names: string[]): Promise<void> => {
    for (const name of names) await workspaces.insert({ name, createdAt });
  };
  database.exec("begin immediate");
  const outcomes = await Promise.allSettled([
    one.within(database).savepoint(async (within) => {
      await insert(within, "a");
      throw new Error("refused");
    }),
    other.within(database).savepoint((within) => insert(within, "b", "c", "d")),
  ]);
  database.exec("commit");
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  const namesIn = (table: string) => database.prepare(`select name from ${table} order by id`).pluck().all();
  expect(namesIn("posthorn_workspaces")).toEqual([]);
  expect(namesIn("other_workspaces")).toEqual(["b", "c", "d"]);
});
