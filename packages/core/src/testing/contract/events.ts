import { describe, expect, test } from "vitest";
import type { EventRecord, Storage } from "../../ports/storage.ts";
import { NOW, useSendingWorld } from "./sending-world.ts";

function newEvent(type: string, over: Partial<EventRecord> = {}): Omit<EventRecord, "id"> {
  return {
    category: "audit",
    type,
    workspaceId: undefined,
    userId: undefined,
    actorId: undefined,
    actorName: "Ada",
    clientIp: "192.0.2.1",
    message: `${type} happened`,
    metadata: "{}",
    createdAt: NOW,
    ...over,
  };
}

const types = (events: EventRecord[]) => events.map((event) => event.type);

/** The contract of `Events`: a log for people, and a stream without gaps. */
export function describeEvents(open: () => Promise<Storage>): void {
  describe("events", () => {
    const world = useSendingWorld(open);

    test("appended events are listed unchanged, newest first", async () => {
      const { events } = world().storage;
      const { workspaceId } = world();
      const first = newEvent("a.b", { workspaceId, metadata: '{"old":1}', createdAt: NOW + 1 });
      await events.append([first]);
      await events.append([newEvent("c"), newEvent("d")]);
      await events.append([]);
      const { items, total } = await events.list({ workspaceId: "all" }, { offset: 0, limit: 10 });
      expect(types(items)).toEqual(["d", "c", "a.b"]);
      expect(items[2]).toEqual({ ...first, id: expect.any(Number) });
      expect(total).toBe(3);
      const page = await events.list({ workspaceId: "all" }, { offset: 1, limit: 1 });
      expect(types(page.items)).toEqual(["c"]);
      expect(page.total).toBe(3);
    });

    test("events of an e-mail are found by it, oldest first", async () => {
      const { events } = world().storage;
      await events.append([
        newEvent("a", { emailId: "one" }),
        newEvent("b"),
        newEvent("c", { emailId: "two" }),
      ]);
      await events.append([newEvent("d", { emailId: "one" }), newEvent("e", { emailId: "one" })]);
      expect(types(await events.listAbout("one", 2))).toEqual(["a", "d"]);
      expect(types(await events.listAbout("none", 2))).toEqual([]);
    });

    test("filters can be combined, also in the stream", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const user = await storage.users.insert({
        name: "Ada",
        email: "ada@example.com",
        passwordHash: "",
        emailVerifiedAt: undefined,
        isAdmin: false,
        isVouchedFor: true,
        createdAt: NOW,
      });
      await storage.events.append([
        newEvent("a", { workspaceId }),
        newEvent("a", { workspaceId: other }),
        newEvent("a", { workspaceId, category: "email" }),
        newEvent("b", { workspaceId, createdAt: NOW + 5 }),
        newEvent("user.login", { userId: user.id }),
      ]);
      const listed = async (filter: Parameters<Storage["events"]["list"]>[0]) => {
        const { items, total } = await storage.events.list(filter, { offset: 0, limit: 10 });
        const behind = await storage.events.list(filter, { offset: 10, limit: 10 });
        expect([total, behind.total]).toEqual([items.length, items.length]);
        expect((await storage.events.listAfter(0, filter, 10)).events.reverse()).toEqual(items);
        return types(items);
      };
      expect(await listed({ workspaceId })).toEqual(["b", "a", "a"]);
      expect(await listed({ workspaceId, category: "audit" })).toEqual(["b", "a"]);
      expect(await listed({ workspaceId, category: "audit", type: "a" })).toEqual(["a"]);
      expect(await listed({ workspaceId, since: NOW + 5 })).toEqual(["b"]);
      expect(await listed({ workspaceId: "all", userId: user.id })).toEqual(["user.login"]);
      expect(await listed({ workspaceId: "all", userId: user.id, category: "email" })).toEqual([]);
      expect(await listed({ workspaceId: "all", category: "email" })).toEqual(["a"]);
      expect(await listed({ workspaceId: other, type: "b" })).toEqual([]);
    });

    test("those since a time are found at the end of a long log, with any from a clock that was ahead for a day", async () => {
      const { events } = world().storage;
      const hour = 3_600_000;
      const timeOf = (n: number): number => (n === 2_980 ? NOW : NOW - (3_000 - n) * hour);
      await events.append(
        Array.from({ length: 3_000 }, (_, n) => newEvent(`${n + 1}`, { createdAt: timeOf(n + 1) })),
      );
      for (const [since, expected] of [
        [NOW + 1, []],
        [NOW - hour, [2_980, 2_999, 3_000]],
      ] as const) {
        const filter = { workspaceId: "all", since } as const;
        const { items, total } = await events.list(filter, { offset: 0, limit: 10 });
        expect([total, types(items).reverse()]).toEqual([expected.length, expected.map(String)]);
        const first = await events.listAfter(0, filter, 10);
        expect(types(first.events)).toEqual(expected.map(String));
        expect(first.isMore).toBe(false);
      }
      const all = { workspaceId: "all", since: NOW - 3_000 * hour } as const;
      expect((await events.list(all, { offset: 0, limit: 1 })).total).toBe(3_000);
    });

    test("those since a time are found although the last ones are from a clock that was set back by days", async () => {
      const { events } = world().storage;
      const hour = 3_600_000;
      const timeOf = (n: number): number => NOW - (n > 5_400 ? 9_000 : 6_000 - n) * hour;
      await events.append(
        Array.from({ length: 6_000 }, (_, n) => newEvent(`${n + 1}`, { createdAt: timeOf(n + 1) })),
      );
      const filter = { workspaceId: "all", since: NOW - 1_200 * hour } as const;
      const { items, total } = await events.list(filter, { offset: 0, limit: 1 });
      expect([total, types(items)]).toEqual([601, ["5400"]]);
      expect(types((await events.listAfter(0, filter, 2)).events)).toEqual(["4800", "4801"]);
    });

    test("the stream resumes after any event", async () => {
      const { events } = world().storage;
      expect(await events.lastId()).toBe(0);
      expect(await events.listAfter(0, { workspaceId: "all" }, 10)).toEqual({
        events: [],
        upTo: 0,
        isMore: false,
      });
      await events.append(["a", "b", "c", "d"].map((type) => newEvent(type)));
      const firstTwo = await events.listAfter(0, { workspaceId: "all" }, 2);
      expect(types(firstTwo.events)).toEqual(["a", "b"]);
      expect(firstTwo).toMatchObject({ upTo: firstTwo.events[1]?.id, isMore: true });
      const others = await events.listAfter(firstTwo.upTo, { workspaceId: "all" }, 10);
      expect(types(others.events)).toEqual(["c", "d"]);
      const last = await events.lastId();
      expect(others).toMatchObject({ upTo: last, isMore: false });
      const none = { events: [], upTo: last, isMore: false };
      expect(await events.listAfter(last, { workspaceId: "all" }, 10)).toEqual(none);
      await events.append([newEvent("e")]);
      expect(types((await events.listAfter(last, { workspaceId: "all" }, 10)).events)).toEqual(["e"]);
    });

    test("one look goes through a bounded number of events, whatever matches", async () => {
      const { events } = world().storage;
      for (let part = 0; part < 6; part += 1)
        await events.append(Array.from({ length: 1_000 }, () => newEvent("frequent")));
      await events.append([newEvent("rare")]);
      const filter = { workspaceId: "all", type: "rare" } as const;
      const first = await events.listAfter(0, filter, 10);
      expect(first).toMatchObject({ events: [], isMore: true });
      expect(first.upTo).toBeGreaterThan(0);
      const second = await events.listAfter(first.upTo, filter, 10);
      expect(types(second.events)).toEqual(["rare"]);
      expect(second).toMatchObject({ upTo: await events.lastId(), isMore: false });
    });

    test("a rolled back event is in no stream", async () => {
      const { storage } = world();
      const failed = storage.transaction(async (tx) => {
        await tx.events.append([newEvent("never")]);
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      await storage.events.append([newEvent("a")]);
      expect(types((await storage.events.listAfter(0, { workspaceId: "all" }, 10)).events)).toEqual(["a"]);
    });

    test("a reader gets every event once during concurrent commits", async () => {
      const { storage } = world();
      const seen: EventRecord[] = [];
      let cursor = 0;
      async function follow(): Promise<void> {
        const { events, upTo } = await storage.events.listAfter(cursor, { workspaceId: "all" }, 7);
        cursor = upTo;
        seen.push(...events);
      }
      const writers = Array.from({ length: 30 }, (_, index) =>
        storage.transaction(async (tx) => {
          await tx.events.append([newEvent(`w${index}.1`)]);
          if (index % 3 === 0) await tx.usage.find(world().workspaceId, NOW, NOW);
          await tx.events.append([newEvent(`w${index}.2`)]);
        }),
      );
      let writing = true;
      const all = Promise.all(writers).finally(() => {
        writing = false;
      });
      while (writing) {
        await follow();
        // Yield, as a storage that reads synchronously would never let the writers run.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await all;
      while (seen.length < 60) {
        const before = seen.length;
        await follow();
        if (seen.length === before) break;
      }
      expect(new Set(types(seen)).size).toBe(60);
      expect(seen).toHaveLength(60);
      expect(cursor).toBe(await storage.events.lastId());
    });

    test("old events are removed, a bounded number at a time", async () => {
      const { events } = world().storage;
      await events.append([1, 2, 3].map((day) => newEvent(`d${day}`, { createdAt: NOW - day })));
      await events.append([newEvent("now")]);
      const last = await events.lastId();
      expect(await events.lastRemoved()).toBe(0);
      const piece = await events.deleteBefore(NOW, 2);
      expect(piece.removed).toBe(2);
      expect(await events.lastRemoved()).toBe(last - 2);
      expect(await events.deleteBefore(NOW, 2, piece.next)).toMatchObject({ removed: 1 });
      const { items, total } = await events.list({ workspaceId: "all" }, { offset: 0, limit: 10 });
      expect([types(items), total]).toEqual([["now"], 1]);
      expect(await events.lastRemoved()).toBe(last - 1);
    });

    test("the last removed event stays so when retention removes earlier ones behind it", async () => {
      const { events } = world().storage;
      await events.append([
        newEvent("ahead", { createdAt: NOW }),
        newEvent("old", { createdAt: NOW - 1 }),
        newEvent("now", { createdAt: NOW + 1 }),
      ]);
      const last = await events.lastId();
      for (const before of [NOW, NOW + 1]) await events.deleteBefore(before, 10);
      expect(await events.lastRemoved()).toBe(last - 1);
    });

    test("old events are removed behind those of a clock that was ahead, which stay", async () => {
      const { events } = world().storage;
      const append = (count: number, type: string, createdAt: number) =>
        events.append(Array.from({ length: count }, () => newEvent(type, { createdAt })));
      await append(40, "ahead", NOW + 9);
      await append(30, "old", NOW - 1);
      await append(5, "now", NOW);
      let [removed, pieces] = [0, 0];
      for (let next: number | undefined = 0; next !== undefined; pieces += 1) {
        const piece: { removed: number; next: number | undefined } = await events.deleteBefore(NOW, 4, next);
        removed += piece.removed;
        next = piece.next;
      }
      expect(removed).toBe(30);
      // The others are not read one by one.
      expect(pieces).toBeLessThan(20);
      const { items } = await events.list({ workspaceId: "all" }, { offset: 0, limit: 100 });
      expect(new Set(types(items))).toEqual(new Set(["ahead", "now"]));
    });

    test("a reader whose event is deleted continues after it", async () => {
      const { events } = world().storage;
      await events.append([newEvent("old", { createdAt: NOW - 1 })]);
      const cursor = await events.lastId();
      await events.append([newEvent("new")]);
      await events.deleteBefore(NOW, 10);
      expect(types((await events.listAfter(cursor, { workspaceId: "all" }, 10)).events)).toEqual(["new"]);
    });
  });
}
