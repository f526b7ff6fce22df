import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
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
