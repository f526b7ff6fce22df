import { AsyncLocalStorage, executionAsyncResource } from "node:async_hooks";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { countListeners, newEvent } from "../../../test/event-log.ts";
import type { EventFilter, NewEvent, Storage } from "../../ports/storage.ts";
import { type FollowOptions, followEventBatches, followEvents } from "../follow-events.ts";

/** A storage that notes the filter of each look at the log. */
async function openLog() {
  const opened = await openTestSqlite();
  await opened.migrate();
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await opened.close();
  });
  const looks: { filter: EventFilter }[] = [];
  const { storage: counted, listening } = countListeners(opened);
  const storage: Storage = {
    ...counted,
    events: {
      ...opened.events,
      async listAfter(after, filter, limit) {
        looks.push({ filter });
        return opened.events.listAfter(after, filter, limit);
      },
    },
  };
  return {
    storage,
    stop,
    looks,
    listening,
    async append(...events: NewEvent[]) {
      await opened.transaction((repositories) => repositories.events.append(events));
      await opened.notify(["events"]);
    },
    async collect(count: number, options: Partial<FollowOptions> = {}) {
      const seen: string[] = [];
      const all = { workspaceId: "all", after: 0, signal: stop.signal, ...options } as const;
      for await (const { message } of followEvents(storage, all)) if (seen.push(message) === count) break;
      return seen;
    },
  };
}

test("a hundred followers, each with a filter of its own, look at a commit once", async () => {
  const { storage, stop, append, collect, looks } = await openLog();
  await append(newEvent("before", { workspaceId: 1 }), newEvent("before", { workspaceId: 2 }));
  const last = await storage.events.lastId();
  let passed = 0;
  const quiet = Array.from({ length: 50 }, (_, at) =>
    collect(1, { workspaceId: 10 + at, after: last, passed: (id) => (passed = Math.max(passed, id)) }),
  );
  const busy = Array.from({ length: 50 }, (_, at) => collect(3, { workspaceId: 1 + (at % 2), after: last }));
  // Each looks alone when it comes.
  await expect.poll(() => looks.filter(({ filter }) => filter.workspaceId !== "all").length).toBe(100);
  const lonely = looks.length;
  for (const name of ["a", "b", "c"])
    await append(newEvent(`${name}1`, { workspaceId: 1 }), newEvent(`${name}2`, { workspaceId: 2 }));
  const seen = await Promise.all(busy);
  for (const [at, names] of seen.entries()) {
    const workspace = 1 + (at % 2);
    expect(names).toEqual(["a", "b", "c"].map((name) => `${name}${workspace}`));
  }
  // Three commits, and the looks that find nothing more; not one for each follower.
  expect(looks.length - lonely).toBeLessThan(20);
  expect(looks.slice(lonely).every(({ filter }) => filter.workspaceId === "all")).toBe(true);
  // Those that had nothing to read know how far the log was looked through.
  await expect.poll(() => passed).toBe(await storage.events.lastId());
  stop.abort();
  expect((await Promise.all(quiet)).flat()).toEqual([]);
});

test("where all follow one workspace, only its events are read", async () => {
  const { append, collect, looks } = await openLog();
  const following = [collect(2, { workspaceId: 5 }), collect(2, { workspaceId: 5 })];
  await append(newEvent("1", { workspaceId: 5 }), newEvent("noise", { workspaceId: 6 }));
  await append(newEvent("2", { workspaceId: 5 }));
  expect(await Promise.all(following)).toEqual([
    ["1", "2"],
    ["1", "2"],
  ]);
  expect(looks.every(({ filter }) => filter.workspaceId === 5)).toBe(true);
});

test("one with another filter misses none of the events that looks for the others left out", async () => {
  const { storage, stop, append, collect } = await openLog();
  let waits = false;
  const passed = () => {
    waits = true;
  };
  const first = followEvents(storage, { workspaceId: 5, after: 0, signal: stop.signal, passed });
  const begun = first.next();
  await expect.poll(() => waits).toBe(true);
  await append(newEvent("5a", { workspaceId: 5 }), newEvent("6a", { workspaceId: 6 }));
  expect((await begun).value).toMatchObject({ message: "5a" });
  const second = collect(2, { workspaceId: 6 });
  await append(newEvent("5b", { workspaceId: 5 }), newEvent("6b", { workspaceId: 6 }));
  expect((await first.next()).value).toMatchObject({ message: "5b" });
  expect(await second).toEqual(["6a", "6b"]);
});

test.each<[string, Partial<FollowOptions>, string[]]>([
  ["a workspace", { workspaceId: 5 }, ["b", "d"]],
  ["a person", { userId: 8 }, ["c", "d"]],
  ["a category", { category: "audit" }, ["a", "d"]],
  ["a type", { type: "plan.created" }, ["a", "b"]],
  ["a time", { since: 1_000 }, ["c", "d"]],
])(
  "a filter by %s matches the same events of a shared look as of the storage's",
  async (_, filter, expected) => {
    const { append, collect } = await openLog();
    const events = [
      newEvent("a", { category: "audit", type: "plan.created" }),
      newEvent("b", { workspaceId: 5, type: "plan.created" }),
      newEvent("c", { userId: 8, createdAt: 1_000 }),
      newEvent("d", { workspaceId: 5, userId: 8, category: "audit", createdAt: 1_001 }),
    ];
    const live = [collect(2, filter), collect(4)];
    await append(...events);
    expect(await Promise.all(live)).toEqual([expected, ["a", "b", "c", "d"]]);
    expect(await collect(2, filter)).toEqual(expected);
  },
);

test("a follower who is behind what is kept reads the log itself, and gets each event once", async () => {
  const { storage, stop, append } = await openLog();
  const all = { workspaceId: "all", after: 0, signal: stop.signal } as const;
  const slow = followEvents(storage, all);
  const quick = followEvents(storage, all);
  const first = [slow.next(), quick.next()];
  await append(newEvent("0"));
  await Promise.all(first);
  const names = Array.from({ length: 4_000 }, (_, at) => `${at + 1}`);
  for (let at = 0; at < names.length; at += 500) {
    const told = names.slice(at, at + 500);
    await append(...told.map((name) => newEvent(name)));
    for (const name of told) expect((await quick.next()).value).toMatchObject({ message: name });
  }
  for (const name of names) expect((await slow.next()).value).toMatchObject({ message: name });
});

test("followers get the same frozen events, each in its own context", async () => {
  const { storage, stop, append } = await openLog();
  const tenant = new AsyncLocalStorage<string>();
  const options = { workspaceId: "all", after: 0, signal: stop.signal } as const;
  const heard: Record<string, (string | undefined)[]> = { one: [], two: [] };
  const follow = (name: string) =>
    tenant.run(name, async () => {
      const passed = () => void heard[name]?.push(tenant.getStore());
      for await (const events of followEventBatches(storage, { ...options, passed }))
        return { events, store: tenant.getStore() };
      throw new Error("no events");
    });
  const following = [follow("one"), follow("two")];
  // Both have seen that there is nothing yet, and wait for the next look.
  await expect.poll(() => [heard.one?.length, heard.two?.length]).not.toContain(0);
  await append(newEvent("a", { metadata: '{"list":[1]}' }), newEvent("b"));
  const [one, two] = await Promise.all(following);
  expect(one?.events).toBe(two?.events);
  expect(one?.events.map(({ message }) => message)).toEqual(["a", "b"]);
  expect(() => Object.assign(one?.events[0] ?? {}, { message: "changed" })).toThrow(TypeError);
  expect(() => Object.assign(one?.events[0]?.metadata ?? {}, { list: [] })).toThrow(TypeError);
  expect([one?.store, two?.store]).toEqual(["one", "two"]);
  expect(new Set(heard.one)).toEqual(new Set(["one"]));
  expect(new Set(heard.two)).toEqual(new Set(["two"]));
});

test("a storage that fails is told to all who wait, and those who follow again go on", async () => {
  const { storage, stop, append, listening } = await openLog();
  let isBroken = false;
  const { listAfter } = storage.events;
  storage.events.listAfter = (...given) =>
    isBroken ? Promise.reject(new Error("away")) : listAfter(...given);
  const options = { workspaceId: "all", after: 0, signal: stop.signal } as const;
  const following = Array.from({ length: 3 }, () => followEvents(storage, options));
  const first = following.map((events) => events.next());
  await append(newEvent("a"));
  const ids = (await Promise.all(first)).map(({ value }) => value?.id);
  isBroken = true;
  const second = Promise.allSettled(following.map((events) => events.next()));
  await append(newEvent("b"));
  for (const result of await second) expect(result).toMatchObject({ reason: { message: "away" } });
  expect(listening()).toBe(0);
  isBroken = false;
  const again = followEvents(storage, { ...options, after: ids[0] });
  expect((await again.next()).value).toMatchObject({ message: "b" });
});

test("nobody listens to the storage after the last follower left", async () => {
  const { storage, append, listening } = await openLog();
  const stops = [new AbortController(), new AbortController()];
  const following = stops.map(({ signal }) =>
    followEvents(storage, { workspaceId: "all", after: 0, signal }),
  );
  const first = following.map((events) => events.next());
  await append(newEvent("a"));
  await Promise.all(first);
  const waiting = following.map((events) => events.next());
  expect(listening()).toBe(1);
  stops[0]?.abort();
  expect(await waiting[0]).toEqual({ done: true, value: undefined });
  expect(listening()).toBe(1);
  stops[1]?.abort();
  expect(await waiting[1]).toEqual({ done: true, value: undefined });
  expect(listening()).toBe(0);
});

test("looks are made in no follower's context, by a resource that Jest takes for no open handle", async () => {
  const { storage, stop, append } = await openLog();
  const request = new AsyncLocalStorage<string>();
  const contexts: (string | undefined)[] = [];
  const resources: object[] = [];
  const seen: Storage = {
    ...storage,
    subscribe(...subscription) {
      resources.push(executionAsyncResource());
      return storage.subscribe(...subscription);
    },
    events: {
      ...storage.events,
      listAfter(...query) {
        contexts.push(request.getStore());
        return storage.events.listAfter(...query);
      },
    },
  };
  const first = request.run("first", () =>
    followEvents(seen, { workspaceId: "all", after: 0, signal: stop.signal })[Symbol.asyncIterator]().next(),
  );
  // Its own look has found nothing.
  await expect.poll(() => contexts.length).toBeGreaterThan(1);
  await append(newEvent("a"));
  await first;
  expect(new Set(contexts.slice(1))).toEqual(new Set([undefined]));
  expect(resources).toMatchObject([{ hasRef: expect.any(Function) }]);
});
