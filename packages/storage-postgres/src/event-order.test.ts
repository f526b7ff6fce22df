import type { EventRecord } from "@posthorn/core/storage";
import { expect, test } from "vitest";
import { openTestPostgres } from "../test/open-test-storage.ts";

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

test("an event of an open transaction holds back the later ones, and none is skipped", async () => {
  const storage = await openTestPostgres();
  const types = async (after: number) =>
    (await storage.events.listAfter(after, { workspaceId: "all" }, 10)).map(({ type }) => type);
  await storage.events.append([event("before")]);
  const cursor = await storage.events.lastId();
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const open = storage.transaction(async ({ events }) => {
    await events.append([event("slow")]);
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

test("a long transaction holds back nothing until it writes an event, and what it then writes is not skipped", async () => {
  const storage = await openTestPostgres();
  const types = async (after: number) =>
    (await storage.events.listAfter(after, { workspaceId: "all" }, 10)).map(({ type }) => type);
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

test("many writers at once: a follower sees each event once, in the order of ids", async () => {
  const storage = await openTestPostgres();
  const seen: number[] = [];
  let writing = true;
  const follow = async () => {
    for (let last = 0, done = false; !done; ) {
      done = !writing;
      for (const { id } of await storage.events.listAfter(last, { workspaceId: "all" }, 1_000)) {
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
