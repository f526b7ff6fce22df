import type { EventRecord, Storage } from "@posthorn/core/storage";
import pg from "pg";
import { expect, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { openTestPostgres, testPostgresUrl } from "../../test/open-test-storage.ts";
import { eventMark } from "./event-marks.ts";

const event = (type: string): Omit<EventRecord, "id"> => ({
  category: "audit",
  type,
  workspaceId: undefined,
  userId: undefined,
  actorId: undefined,
  actorName: "",
  clientIp: "",
  message: "",
  metadata: "{}",
  createdAt: 1,
});

test("an event of an open transaction delays the later ones, and none is skipped", async () => {
  const storage = await openTestPostgres();
  const types = async (after: number) =>
    (await storage.events.listAfter(after, { workspaceId: "all" }, 10)).events.map(({ type }) => type);
  await storage.events.append([event("before")]);
  const cursor = await storage.events.lastId();
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const open = storage.transaction(async ({ events }) => {
    await events.append([event("slow")]);
    // The event may go out with the transaction's next statement; the answer to a question comes behind it.
    await events.lastId();
    written.resolve();
    await release.promise;
  });
  await written.promise;
  await storage.events.append([event("quick")]);
  expect(await types(cursor)).toEqual([]);
  expect(await storage.events.lastId()).toBe(cursor);
  release.resolve();
  await open;
  expect(await types(cursor)).toEqual(["slow", "quick"]);
  await storage.close();
});

test("a long transaction delays nothing until it writes an event, and that event is not skipped", async () => {
  const storage = await openTestPostgres();
  const types = async (after: number) =>
    (await storage.events.listAfter(after, { workspaceId: "all" }, 10)).events.map(({ type }) => type);
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const open = storage.transaction(async ({ events, workspaces }) => {
    await workspaces.insert({ name: "first write", createdAt: 1 });
    written.resolve();
    await release.promise;
    await events.append([event("late")]);
  });
  await written.promise;
  await storage.events.append([event("quick")]);
  expect(await types(0)).toEqual(["quick"]);
  const cursor = await storage.events.lastId();
  release.resolve();
  await open;
  expect(await types(cursor)).toEqual(["late"]);
  await storage.close();
});

/** Returns the keys of the advisory locks that writers of events hold now. */
const heldMarks = async (host: pg.Client) =>
  (
    await host.query<{ classid: number; objid: number }>(
      "select classid, objid from pg_locks where locktype = 'advisory' and mode = 'ShareLock'",
    )
  ).rows;

test("neither a writer of another schema's events nor a host's two-key lock delays any", async () => {
  const storages = [await openTestPostgres(), await openTestPostgres()];
  const host = new pg.Client({ connectionString: await testPostgresUrl() });
  await host.connect();
  const typesOf = async ({ events }: Storage) =>
    (await events.listAfter(0, { workspaceId: "all" }, 10)).events.map(({ type }) => type);
  let keys: { classid: number; objid: number } | undefined;
  // In one of the two orders the follower's ids are higher.
  for (const [writer, follower] of [storages, storages.toReversed()])
    await writer?.transaction(async ({ events }) => {
      await events.append([event("open")]);
      await eventually(async () => {
        [keys] = await heldMarks(host);
        return keys !== undefined;
      });
      await follower?.events.append([event("seen")]);
      expect(follower && (await typesOf(follower))).toContain("seen");
    });
  // The last writer's lock with two keys: the same numbers, but no mark.
  await host.query("select pg_advisory_lock($1::bigint::int, $2::bigint::int)", [keys?.classid, keys?.objid]);
  const [, last] = storages;
  await last?.events.append([event("beside")]);
  expect(last && (await typesOf(last))).toContain("beside");
  await host.end();
  for (const storage of storages) await storage.close();
});

test("a thousand schemas of one database have marks of their own", () => {
  const marks = Array.from({ length: 1_000 }, (_, at) => eventMark(`tenant_${at}`).split("<<")[0]);
  expect(new Set(marks).size).toBe(1_000);
});

test("with many concurrent writers, a follower sees each event once, in the order of ids", async () => {
  const storage = await openTestPostgres();
  const seen: number[] = [];
  let writing = true;
  const follow = async () => {
    for (let last = 0, done = false; !done; ) {
      done = !writing;
      for (const { id } of (await storage.events.listAfter(last, { workspaceId: "all" }, 1_000)).events) {
        seen.push(id);
        last = id;
      }
    }
  };
  const write = async () => {
    for (let turn = 0; turn < 25; turn += 1) {
      await storage.transaction(async ({ events, workspaces }) => {
        await events.append([event("first")]);
        await workspaces.insert({ name: "between", createdAt: 1 });
        await events.append([event("second")]);
      });
    }
  };
  const following = follow();
  await Promise.all(Array.from({ length: 8 }, write));
  writing = false;
  await following;
  expect(seen).toHaveLength(400);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  await storage.close();
});
