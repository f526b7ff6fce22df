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
    (await storage.events.listAfter(after, {}, 10)).map(({ type }) => type);
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

test("a transaction that writes its event late is not overtaken, though its event has the higher id", async () => {
  const storage = await openTestPostgres();
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
  expect(await storage.events.listAfter(0, {}, 10)).toEqual([]);
  release.resolve();
  await open;
  const [late, quick] = await storage.events.listAfter(0, {}, 10);
  expect([late?.type, quick?.type]).toEqual(["late", "quick"]);
  expect(late?.id).toBeGreaterThan(quick?.id ?? 0);
  // Following from the one with the higher id, the other still comes.
  expect((await storage.events.listAfter(late?.id ?? 0, {}, 10)).map(({ type }) => type)).toEqual(["quick"]);
  expect(await storage.events.lastId()).toBe(quick?.id);
  await storage.close();
});
