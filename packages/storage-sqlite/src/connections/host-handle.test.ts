import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Storage } from "@posthorn/core";
import { StorageUnavailable, StorageUnsuited } from "@posthorn/core/storage";
import { createWorld } from "@posthorn/core/testing";
import {
  testHostTransactions,
  testSendsBesideDeletion,
  testVerbsInHostTransactions,
  type WatchedHost,
} from "@posthorn/core/testing/contract";
import Sqlite, { type Database } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "../index.ts";

const NOW = Date.UTC(2026, 0, 1);
const everything = { offset: 0, limit: 100 };

let directory = "";
let files = 0;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "posthorn-host-"));
});
afterEach(() => rm(directory, { recursive: true }));

const newFile = (): string => join(directory, `${++files}.db`);

/** Opens a host's handle with a table of its own, named as one of ours would be; it never waits for a lock. */
const openHandle = (filename: string): Database => {
  const database = new Sqlite(filename, { timeout: 0 });
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  database.exec("create table if not exists users (id integer primary key, text text not null)");
  return database;
};

const note = (database: Database, text: string): void =>
  void database.prepare("insert into users (text) values (?)").run(text);
const notesIn = (database: Database): string[] =>
  database.prepare("select text from users order by id").pluck().all() as string[];
const namesIn = async (storage: Storage): Promise<string[]> =>
  (await storage.workspaces.list({ q: undefined }, everything)).items.map(({ name }) => name);

/** Returns every row of the service's tables. */
const rowsIn = (database: Database): string[] => {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  return tables
    .map(String)
    .filter((table) => table.startsWith("posthorn_"))
    .flatMap((table) =>
      database
        .prepare(`select * from ${table}`)
        .all()
        .map((row) => `${table} ${JSON.stringify(row)}`),
    );
};

/** Opens a handle whose SQLite has no `jsonb_each`, as before version 3.51. */
const openOlderHandle = (filename: string): Database => {
  const database = openHandle(filename);
  const prepare = database.prepare.bind(database);
  database.prepare = ((text: string) => {
    if (text.includes("jsonb_each"))
      throw new Sqlite.SqliteError("no such table: jsonb_each", "SQLITE_ERROR");
    return prepare(text);
  }) as typeof database.prepare;
  return database;
};

const openHost = async (database: Database): Promise<WatchedHost> => {
  return {
    storage: await createSqliteStorage({ database }),
    async transaction(work) {
      database.exec("begin immediate");
      try {
        const result = await work({ transaction: database, note: async (text) => note(database, text) });
        database.exec("commit");
        return result;
      } catch (error) {
        database.exec("rollback");
        throw error;
      }
    },
    notes: async () => notesIn(database),
    rows: async () => rowsIn(database),
    wrong: [database],
    close: async () => void database.close(),
  };
};

testHostTransactions("SQLite, a file's handle", () => openHost(openHandle(newFile())));
testHostTransactions("SQLite, a handle of an older version", () => openHost(openOlderHandle(newFile())));
testSendsBesideDeletion("SQLite, a file's handle", () => openHost(openHandle(newFile())));
testVerbsInHostTransactions("SQLite, a handle in memory", () => openHost(openHandle(":memory:")));

describe.each([
  ["a file's handle", newFile],
  ["a handle in memory", () => ":memory:"],
])("%s", (_, filename) => {
  const openBoth = async () => {
    const database = openHandle(filename());
    const storage = await createSqliteStorage({ database });
    await storage.migrate();
    onTestFinished(async () => {
      await storage.close();
      database.close();
    });
    return { database, storage };
  };

  test("preserves what the host writes beside refused calls, whenever it writes", async () => {
    const { database, storage } = await openBoth();
    const { posthorn, addWorkspace, addUser } = await createWorld(storage);
    const { asOwner, id: workspaceId } = await addWorkspace();
    await addUser({ email: "taken@example.com" });
    const written: string[] = [];
    const write = (text: string): void => {
      note(database, text);
      written.push(text);
    };
    const name = { name: "one", subject: "s", text: "t" };
    await posthorn.templates.create(name, asOwner);
    const password = "a long enough pass phrase";
    let isDone = false;
    const beside = (async () => {
      for (let index = 0; !isDone; index += 1) {
        write(`beside ${index}`);
        await turn();
      }
    })();
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const refused = [
          () => posthorn.templates.create(name, asOwner),
          () => posthorn.users.create({ name: "T", email: "taken@example.com", password }),
          () => posthorn.emails.sendTemplate({ template: "none", to: ["a@b.example"] }, { workspaceId }),
        ];
        for (const call of refused) await call().catch(() => write(`refused ${index}`));
        await posthorn.emails.send({ subject: "s", text: "t", to: ["a@b.example"] }, { workspaceId });
        write(`accepted ${index}`);
      }),
    );
    expect(await posthorn.drain()).toBe(8);
    isDone = true;
    await beside;
    expect(written.filter((text) => text.startsWith("refused"))).toHaveLength(24);
    expect(notesIn(database)).toEqual(written);
  });

  test("uncommitted changes are not visible: outside calls wait, or see the former state", async () => {
    const { database, storage } = await openBoth();
    database.exec("begin immediate");
    await storage.within(database).workspaces.insert({ name: "undecided", createdAt: NOW });
    const seen = namesIn(storage);
    const waiting = storage.workspaces.insert({ name: "ours", createdAt: NOW });
    await turn();
    database.exec("rollback");
    expect(await seen).not.toContain("undecided");
    await waiting;
    expect(await namesIn(storage)).toEqual(["ours"]);
  });

  test("is unaffected by the storage's tables, and stays open when the storage is closed", async () => {
    const { database, storage } = await openBoth();
    note(database, "the host's");
    await storage.close();
    expect(notesIn(database)).toEqual(["the host's"]);
    const tables = database
      .prepare("select name from sqlite_master where name not like 'sqlite_%' order by name")
      .pluck()
      .all() as string[];
    expect(tables.filter((name) => !name.startsWith("posthorn_"))).toEqual(["users"]);
    expect(tables.length).toBeGreaterThan(50);
  });

  test("ends with its transaction, and runs our statements one after another", async () => {
    const { database, storage } = await openBoth();
    database.exec("begin");
    const within = storage.within(database);
    const { id } = await within.workspaces.insert({ name: "kept", createdAt: NOW });
    await Promise.all([1, 2, 3].map((index) => within.plans.setDefault(index, NOW)));
    database.exec("commit");
    expect(await namesIn(storage)).toEqual(["kept"]);
    expect(() => storage.within(database)).toThrow("open transaction");
    await expect(within.workspaces.find(id)).rejects.toThrow("ended");
  });
});

test("a host's transaction that read before another commit is told why it can't write", async () => {
  const database = openHandle(newFile());
  const storage = await createSqliteStorage({ database });
  await storage.migrate();
  database.exec("begin");
  expect(await storage.within(database).plans.find(1)).toBeUndefined();
  await storage.workspaces.insert({ name: "another commit", createdAt: NOW });
  await expect(storage.within(database).workspaces.insert({ name: "late", createdAt: NOW })).rejects.toThrow(
    new StorageUnavailable(
      "the host's transaction read before another commit, so that it can't write: begin it with `begin immediate`, or write before reading",
    ),
  );
  database.exec("rollback");
  await storage.close();
  database.close();
});

test("a handle on another database is refused, and one that is less durable", async () => {
  const [one, other] = [openHandle(newFile()), openHandle(newFile())];
  const storage = await createSqliteStorage({ database: one });
  other.exec("begin");
  expect(() => storage.within(other)).toThrow(/handle on .*\.db: this one is another database/);
  const weak = new Sqlite(one.name);
  weak.pragma("synchronous = NORMAL");
  weak.exec("begin");
  expect(() => storage.within(weak)).toThrow("synchronous=1");
  const fresh = new Sqlite(newFile());
  fresh.pragma("journal_mode = WAL");
  const refusal = createSqliteStorage({ database: fresh });
  await expect(refusal).rejects.toThrow("synchronous=1");
  await expect(refusal).rejects.toBeInstanceOf(StorageUnsuited);
  fresh.close();
  await expect(createSqliteStorage({ database: fresh })).rejects.toThrow(
    "database must be an open better-sqlite3 handle: this one is closed",
  );
  const plain = new Sqlite(newFile());
  await expect(createSqliteStorage({ database: plain })).rejects.toThrow("journal_mode=delete");
  await storage.close();
  for (const database of [one, other, weak, plain]) database.close();
});

test("a handle that does not write, or keeps the file to itself, is refused as such", async () => {
  for (const [pragma, words] of [
    ["query_only = ON", "is read-only"],
    ["locking_mode = EXCLUSIVE", "locking_mode=EXCLUSIVE"],
  ] as const) {
    const database = openHandle(newFile());
    database.pragma(pragma);
    await expect(createSqliteStorage({ database })).rejects.toThrow(words);
    database.close();
  }
});

test("a foreign table under one of our names is refused before anything is changed", async () => {
  const database = openHandle(newFile());
  const strange = await createSqliteStorage({ database, tablePrefix: "" });
  await expect(strange.migrate()).rejects.toThrow(
    "a table users that is not Posthorn's: use another database, or another tablePrefix. If it was Posthorn's, and a tool has dropped tables beside it, restore a backup",
  );
  database.exec("create table app_schema_migrations (version text)");
  const foreign = await createSqliteStorage({ database, tablePrefix: "app_" });
  await expect(foreign.migrate()).rejects.toThrow("a table app_schema_migrations that is not Posthorn's");
  expect(database.prepare("select count(*) from sqlite_master").pluck().get()).toBe(2);
  await expect(createSqliteStorage({ database, tablePrefix: "a-b" })).rejects.toThrow(TypeError);
  // Two storages in one file are independent of each other.
  const [mail, notifier] = await Promise.all(
    ["mail_", "news_"].map((tablePrefix) => createSqliteStorage({ database, tablePrefix })),
  );
  await mail?.migrate();
  await notifier?.migrate();
  await mail?.workspaces.insert({ name: "Acme", createdAt: NOW });
  expect(await notifier?.workspaces.list({ q: undefined }, everything)).toEqual({ items: [], total: 0 });
  for (const storage of [strange, foreign, mail, notifier]) await storage?.close();
  database.close();
});

test("long work yields the thread in between, and is one transaction nevertheless", async () => {
  const storage = await createSqliteStorage({ filename: newFile() });
  await storage.migrate();
  const event = {
    category: "system" as const,
    type: "t",
    workspaceId: undefined,
    userId: undefined,
    actorId: undefined,
    actorName: "",
    clientIp: "",
    metadata: "{}",
    createdAt: NOW,
    message: "",
  };
  // Enough rows for several slices, even on a fast machine.
  const rows = 150_000;
  let isDone = false;
  let turns = 0;
  const seen = new Set<number>();
  const others = (async () => {
    for (; !isDone; turns += 1) {
      seen.add((await storage.events.list({ workspaceId: "all" }, { offset: 0, limit: 1 })).total);
      await turn();
    }
  })();
  await storage.events.append(Array.from({ length: rows }, () => event));
  isDone = true;
  await others;
  expect(turns).toBeGreaterThan(2);
  expect([...seen].filter((total) => total !== 0 && total !== rows)).toEqual([]);
  await storage.close();
});
