import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSqliteStorage } from "../index.ts";

test.each(["a file", "memory"])(
  "a write for which the host forgot to pass its open transaction says to pass it, on %s",
  async (place) => {
    const directory = await mkdtemp(join(tmpdir(), "posthorn-forgotten-"));
    const database = new Sqlite(place === "memory" ? ":memory:" : join(directory, "shop.db"));
    for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"])
      database.pragma(pragma);
    const storage = await createSqliteStorage({ database });
    onTestFinished(async () => {
      await storage.close();
      database.close();
      await rm(directory, { recursive: true });
    });
    await storage.migrate();
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    database.exec("begin immediate");
    let isOver = false;
    const forgotten = expect(storage.workspaces.insert({ name: "Shop", createdAt: 1 }))
      .rejects.toThrow(
        "a transaction of the host's is open on the handle; pass it as `transaction`, or end it",
      )
      .finally(() => {
        isOver = true;
      });
    while (!isOver) {
      await turn();
      vi.advanceTimersByTime(100);
    }
    await forgotten;
    database.exec("rollback");
  },
);
