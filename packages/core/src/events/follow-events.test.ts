import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { countListeners, newEvent } from "../../test/event-log.ts";
import type { EventRecord, Storage } from "../ports/storage.ts";
import type { LoggedEvent } from "./event-view.ts";
import { type FollowOptions, followEvents } from "./follow-events.ts";

let storage: Storage;
let stop: AbortController;
beforeEach(async () => {
  storage = await openTestSqlite();
  await storage.migrate();
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await storage.close();
});

async function append(...events: Omit<EventRecord, "id">[]): Promise<void> {
  await storage.transaction((repositories) => repositories.events.append(events));
  await storage.notify(["events"]);
}

/** Follows events until `count` of them arrived. */
async function collect(count: number, options: Partial<FollowOptions> = {}): Promise<LoggedEvent[]> {
  const seen: LoggedEvent[] = [];
  for await (const one of followEvents(storage, { workspaceId: "all", ...options, signal: stop.signal })) {
    seen.push(one);
    if (seen.length === count) break;
  }
  return seen;
}
const names = (events: LoggedEvent[]) => events.map(({ message }) => message);

describe("following events", () => {
  test("begins with the next event", async () => {
    await append(newEvent("before"));
    const following = collect(2);
    await storage.ping();
    // The follower first reads its position asynchronously: events go on being written so that a later look finds one.
    const ticking = setInterval(() => void append(newEvent("after")), 5);
    expect(names(await following)).toEqual(["after", "after"]);
    clearInterval(ticking);
  });

  test("resumes after the given event, over several batches, without a gap", async () => {
    await append(...Array.from({ length: 1_203 }, (_, index) => newEvent(`${index}`)));
    const [first] = await collect(1, { after: 0 });
    expect(first?.message).toBe("0");
    const rest = await collect(1_202, { after: first?.id });
    expect(names(rest)).toEqual(Array.from({ length: 1_202 }, (_, index) => `${index + 1}`));
    expect(rest.every(({ id }, index) => index === 0 || id > (rest[index - 1]?.id ?? 0))).toBe(true);
  });

  test("begins at a time without an id, and after the id with one", async () => {
    const at = (message: string, createdAt: number) => ({ ...newEvent(message), createdAt });
    await append(at("old", 1_000), at("then", 2_000), at("later", 3_000));
    const since = { since: 2_000, waits: false };
    const found = await collect(9, since);
    expect(names(found)).toEqual(["then", "later"]);
    expect(names(await collect(9, { ...since, after: found[0]?.id }))).toEqual(["later"]);
  });

  test("loses none that are committed while others are read, and repeats none", async () => {
    const following = collect(300, { after: 0 });
    for (let n = 0; n < 300; n += 3)
      await append(newEvent(`${n}`), newEvent(`${n + 1}`), newEvent(`${n + 2}`));
    expect(names(await following)).toEqual(Array.from({ length: 300 }, (_, index) => `${index}`));
  });

  test("skips events that the filter excludes", async () => {
    const following = collect(2, { after: 0, category: "audit" });
    await append(newEvent("1"), newEvent("2", { category: "audit" }));
    await append(...Array.from({ length: 600 }, () => newEvent("noise")));
    await append(newEvent("3"), newEvent("4", { category: "audit" }));
    expect(names(await following)).toEqual(["2", "4"]);
  });

  test("tells once, before the next event, that events after the last seen were removed", async () => {
    await append(newEvent("old"), newEvent("old"), newEvent("kept", { createdAt: 9 }));
    const [first] = await collect(1, { after: 0 });
    await storage.events.deleteBefore(9, 10);
    const told: unknown[] = [];
    const follow = async (count: number, after: number) => {
      const missed = (upTo: number) => told.push(upTo);
      const following = followEvents(storage, { workspaceId: "all", after, missed, signal: stop.signal });
      for await (const { message } of following) {
        told.push(message);
        if (told.length === count) return told.splice(0);
      }
      return [];
    };
    const id = first?.id ?? 0;
    await append(...Array.from({ length: 501 }, (_, index) => newEvent(`${index}`, { createdAt: 9 })));
    const all = Array.from({ length: 501 }, (_, index) => `${index}`);
    expect(await follow(503, id)).toEqual([id + 1, "kept", ...all]);
    expect(await follow(502, id + 1)).toEqual(["kept", ...all]);
    expect(await follow(502, 0)).toEqual(["kept", ...all]);
  });

  test("tells one who paused while few events came, of which retention removed some, too", async () => {
    await append(newEvent("1", { createdAt: 1 }));
    const id = await storage.events.lastId();
    const missed: number[] = [];
    const options = { workspaceId: "all", signal: stop.signal } as const;
    const following = followEvents(storage, { ...options, after: id, missed: (upTo) => missed.push(upTo) });
    const first = following.next();
    await append(newEvent("2", { createdAt: 9 }));
    expect((await first).value).toMatchObject({ message: "2" });
    // Another follower goes on, so that what the first one misses is no longer kept when it comes back.
    const other = followEvents(storage, { ...options, after: id });
    for (let at = 0; at < 6; at += 1) {
      await append(...Array.from({ length: 400 }, () => newEvent("old", { createdAt: 2 })));
      for (let taken = 0; taken < 400; taken += 1) await other.next();
    }
    await append(newEvent("kept", { createdAt: 9 }));
    await storage.events.deleteBefore(9, 10_000);
    expect((await following.next()).value).toMatchObject({ message: "kept" });
    expect(missed).toEqual([id + 1 + 2_400]);
  });

  test.each([
    [{ workspaceId: undefined }, "workspaceId", "is required"],
    [{ workspaceId: "7" }, "workspaceId", 'must be a whole number, or must be "all"'],
    [{ after: Number.NaN }, "after", "must be a whole number"],
    [{ after: "5" }, "after", "must be a whole number"],
    [{ category: "emails" }, "category", "must be one of audit, email, webhook, campaign, system"],
    [{ types: ["email.sent"] }, "types", "is not a known field (did you mean type?)"],
  ])("refuses %j, which would follow other events or none", async (options, path, message) => {
    await append(newEvent("a"));
    const following = collect(1, { after: 0, ...options } as Partial<FollowOptions>);
    await expect(following).rejects.toMatchObject({ details: [{ path, message }] });
  });

  test("finds events without a notification within about a second", async () => {
    const following = collect(1, { after: 0 });
    await storage.events.append([newEvent("silent")]);
    expect(names(await following)).toEqual(["silent"]);
  });

  test("ends when the signal aborts, before or while it waits, and stops listening", async () => {
    const { storage: watched, listening } = countListeners(storage);
    const waiting = followEvents(watched, { workspaceId: "all", after: 0, signal: stop.signal }).next();
    await storage.ping();
    expect(listening()).toBe(1);
    stop.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    const late = followEvents(watched, { workspaceId: "all", after: 0, signal: stop.signal });
    expect((await late.next()).done).toBe(true);
    expect(listening()).toBe(0);
  });

  test("tells how far it came, also past events that the filter excludes", async () => {
    await append(newEvent("1"));
    await append(newEvent("2"));
    const last = await storage.events.lastId();
    const passed: number[] = [];
    const options = { workspaceId: "all", after: 0, waits: false, signal: stop.signal } as const;
    const named = followEvents(storage, { ...options, type: "none", passed: (id) => passed.push(id) });
    expect((await named.next()).done).toBe(true);
    expect(passed).toEqual([last]);
    const all = followEvents(storage, { ...options, passed: (id) => passed.push(id) });
    for (let n = 0; n < 2; n += 1) expect((await all.next()).done).toBe(false);
    // The second one may not have been taken yet.
    expect(passed).toEqual([last]);
    expect((await all.next()).done).toBe(true);
    expect(passed).toEqual([last, last]);
  });

  test("rejects if the storage fails, and can be resumed there", async () => {
    let broken = false;
    const failing: Storage = {
      ...storage,
      events: {
        ...storage.events,
        listAfter: (...given) =>
          broken ? Promise.reject(new Error("away")) : storage.events.listAfter(...given),
      },
    };
    await append(newEvent("1"));
    const events = followEvents(failing, { workspaceId: "all", after: 0, signal: stop.signal });
    const first = await events.next();
    broken = true;
    await append(newEvent("2"));
    await expect(events.next()).rejects.toThrow("away");
    expect(names(await collect(1, { after: (first.value as LoggedEvent).id }))).toEqual(["2"]);
  });
});
