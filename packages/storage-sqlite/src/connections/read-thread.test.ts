import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { emailStatuses, StorageUnavailable } from "@posthorn/core/storage";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createSqliteStorage } from "../create-sqlite-storage.ts";
import { createReadThread, type ReadThread } from "./read-thread.ts";

/** A read of at least a tenth of a second in one step. */
const slow =
  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) as rows from n";

let folder = "";
let file = "";
const open: ReadThread[] = [];
const threadOn = (path: string): ReadThread => {
  const thread = createReadThread(path, ["temp_store = MEMORY"]);
  open.push(thread);
  return thread;
};

/** Lets reads have their turns, before the thread can answer. */
const passTurns = async (): Promise<void> => {
  for (let step = 0; step < 10; step += 1) await undefined;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "posthorn-reads-"));
  file = join(folder, "a.db");
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.exec("create table t (a, b); insert into t values (1, 'one'), (2, null)");
  database.close();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((thread) => thread.close()));
  rmSync(folder, { recursive: true, force: true });
});

test("returns rows, and SQLite's error with its code, without blocking this thread", async () => {
  const thread = threadOn(file);
  let isAnswered = false;
  const rows = thread.read("select a, b from t where a > ?", [0], 1).finally(() => {
    isAnswered = true;
  });
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  expect(await rows).toEqual([
    { a: 1, b: "one" },
    { a: 2, b: null },
  ]);
  await expect(thread.read("select x from t", [], 1)).rejects.toMatchObject({ code: "SQLITE_ERROR" });
  expect(await thread.read("select 1 as one", [], 1)).toEqual([{ one: 1 }]);
});

test("gives up a query that takes too long, and continues with the next", async () => {
  const thread = threadOn(file);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const told = thread.read(slow, [], 1).catch((error: unknown) => error);
  await passTurns();
  vi.advanceTimersByTime(6_000);
  const behind = thread.read("select 1 as one", [], 1);
  vi.advanceTimersByTime(4_000);
  vi.useRealTimers();
  expect(await told).toBeInstanceOf(StorageUnavailable);
  expect(await behind).toEqual([{ one: 1 }]);
});

test("whoever waits 5 s for a turn is refused, so that no read begins with little time left", async () => {
  const thread = threadOn(file);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const underWay = thread.read(slow, [], 1);
  await passTurns();
  const waiting = thread.read("select 1", [], 1).catch((error: unknown) => error);
  await passTurns();
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  expect(await waiting).toBeInstanceOf(StorageUnavailable);
  expect(await underWay).toEqual([{ rows: 1_000_000 }]);
});

test("at most two abandoned queries may still run: beyond that nothing is read until one ends", async () => {
  const thread = threadOn(file);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const read = (text: string) => thread.read(text, [], 1).catch((error: unknown) => error);
  const told: Promise<unknown>[] = [];
  for (let n = 0; n < 2; n++) {
    told.push(read(slow));
    await passTurns();
    vi.advanceTimersByTime(10_000);
    await passTurns();
  }
  told.push(read("select 1"));
  await passTurns();
  vi.useRealTimers();
  for (const one of await Promise.all(told)) expect(one).toBeInstanceOf(StorageUnavailable);
  await vi.waitFor(
    async () => expect(await thread.read("select 1 as one", [], 1)).toEqual([{ one: 1 }]),
    60_000,
  );
});

test("holders take turns", async () => {
  const thread = threadOn(file);
  const order: string[] = [];
  const read = async (name: string, holder: number) => {
    await thread.read("select 1", [], holder);
    order.push(name);
  };
  await Promise.all([read("1a", 1), read("1b", 1), read("1c", 1), read("2a", 2), read("2b", 2)]);
  expect(order).toEqual(["1a", "2a", "1b", "2b", "1c"]);
});

test("closing rejects waiting queries, and nothing is read any more", async () => {
  const thread = threadOn(file);
  const [reading, waiting] = [thread.read(slow, [], 1), thread.read("select 1", [], 1)];
  const told = Promise.allSettled([reading, waiting]);
  await thread.close();
  for (const one of await told) expect(one).toMatchObject({ reason: expect.any(StorageUnavailable) });
  expect(await thread.read("select 1", [], 1)).toBeUndefined();
});

test("if the thread can't start, queries run elsewhere", async () => {
  const thread = threadOn(join(folder, "missing.db"));
  expect(await thread.read("select 1", [], 1)).toBeUndefined();
  expect(await thread.read("select 1", [], 1)).toBeUndefined();
});

test("if Node refuses threads, queries run elsewhere, and nothing is left that keeps the process alive", async () => {
  const program = `
    import { createReadThread } from ${JSON.stringify(new URL("read-thread.ts", import.meta.url))};
    const thread = createReadThread(${JSON.stringify(file)}, []);
    for (const turn of [1, 2]) console.log(turn, await thread.read("select 1", [], 1));
    console.log(process.getActiveResourcesInfo().includes("Timeout"));
  `;
  const permission = ["--permission", "--allow-fs-read=*", "--allow-addons"];
  const run = ["--conditions=posthorn-source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, [...permission, ...run]);
  expect(stdout).toBe("1 undefined\n2 undefined\nfalse\n");
});

test("a storage's lists are the same from the thread, and include earlier writes", async () => {
  const filename = join(folder, "storage.db");
  const near = await createSqliteStorage({ filename, readThreadFrom: Number.POSITIVE_INFINITY });
  await near.migrate();
  const far = await createSqliteStorage({ filename, readThreadFrom: 0 });
  const slice = { offset: 0, limit: 2 };
  for (const name of ["A", "B", "C"]) {
    await far.workspaces.insert({ name, createdAt: 1 });
    const listed = await far.workspaces.list({ q: undefined }, slice);
    expect(listed).toEqual(await near.workspaces.list({ q: undefined }, slice));
    expect(listed.items[0]?.name).toBe(name);
  }
  await Promise.all([near.close(), far.close()]);
  await expect(createSqliteStorage({ filename, readThreadFrom: -1 })).rejects.toThrow("readThreadFrom");
});

test("queries that grow with the data are read in the thread only", async () => {
  const storage = await createSqliteStorage({ filename: join(folder, "counts.db"), readThreadFrom: 0 });
  await storage.migrate();
  const prepare = vi.spyOn(Database.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  const person = { workspaceId: 1, address: "Ada@example.com", addressKey: "ada@example.com" };
  const slice = { offset: 0, limit: 1 };
  const { batches, emailQueue, emails, recipients, retention, webhookDeliveries } = storage;
  await emailQueue.status(1);
  await emailQueue.routes(1, 10);
  await webhookDeliveries.status(1);
  await webhookDeliveries.backlog(1, 10);
  await batches.emails({ id: "none", workspaceId: 1 }, 1);
  await batches.counts({ id: "none", workspaceId: 1 }, 1);
  await recipients.countEmails(person);
  await recipients.countCampaigns(person);
  await retention.countTimed("sessions", 1);
  await retention.countTimed("events", 1);
  await retention.countOld([{ workspaceId: 1, log: 1, content: 2 }]);
  await retention.countLoose();
  for (const status of [undefined, ...emailStatuses]) await emails.list({ workspaceId: 1, status }, slice, 1);
  expect(prepare.mock.calls).toEqual([]);
  await emails.find(1, "none", 1);
  expect(prepare).toHaveBeenCalledOnce();
  await storage.close();
});
