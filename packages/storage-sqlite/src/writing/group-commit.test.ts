import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { createGroupCommit } from "./group-commit.ts";
import { createWriteTurns } from "./write-turns.ts";

test.each([1, 2, 3])(
  "callers of a group that can't be ended, as the host iterates over the handle, get an error, and later ones their turn: %i",
  async (place) => {
    const database = new Sqlite(":memory:");
    database.exec("create table t (n integer)");
    const numbers = () => database.prepare("select n from t").pluck().all();
    const group = createGroupCommit({
      database,
      onError() {},
      assertUsable() {},
      writeTurns: createWriteTurns(undefined),
    });
    let rows: IterableIterator<unknown> | undefined;
    const insert = (n: number) => () => {
      database.prepare("insert into t values (?)").run(n);
      if (n === place) rows = database.prepare("select 1 union select 2").iterate();
    };
    const results = await Promise.allSettled([1, 2, 3].map((n) => group.enqueue(insert(n))));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    rows?.return?.();
    await group.enqueue(insert(4));
    expect([database.inTransaction, numbers()]).toEqual([false, [4]]);
    await group.close();
    database.close();
  },
);

test.each([
  ["another process, or a transaction of the host's, holds the database", false],
  ["another thread of this process, or another process, holds the database", true],
])("a group that waited in vain is told who may hold the database: %s", async (words, isThreadsTurn) => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-turns-"));
  const filename = join(folder, "turns.db");
  const [database, holder] = [new Sqlite(filename), new Sqlite(filename)];
  onTestFinished(() => {
    for (const one of [holder, database]) one.close();
    rmSync(folder, { recursive: true });
  });
  database.pragma("busy_timeout = 0");
  const memory = new SharedArrayBuffer(4);
  if (isThreadsTurn) await createWriteTurns(memory).enter();
  holder.exec("begin immediate");
  const group = createGroupCommit({
    database,
    onError() {},
    assertUsable() {},
    writeTurns: createWriteTurns(memory, 0),
  });
  // Each look at the clock is a second later.
  let now = performance.now();
  const spy = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1_000;
    return now;
  });
  onTestFinished(() => spy.mockRestore());
  await expect(group.enqueue(() => {})).rejects.toThrow(words);
  holder.exec("rollback");
  await group.enqueue(() => {});
});
