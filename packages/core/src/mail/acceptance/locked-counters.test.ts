import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { type Storage, StorageUnavailable } from "../../ports/storage.ts";
import { createWorld } from "../../testing/index.ts";

/** A shop and a neighbour, and a batch of 300 of the shop's whose transaction waits until `write` is called. */
async function openWorld({ hasRoom }: { hasRoom: boolean }) {
  const storage = await openTestSqlite();
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  const world = await createWorld({
    ...storage,
    usage: { ...storage.usage, setAside: async () => hasRoom },
    async transaction(work) {
      if (isHeld) {
        isHeld = false;
        begun.resolve();
        await gate.promise;
      }
      return storage.transaction(work);
    },
  });
  onTestFinished(() => world.close());
  const { posthorn } = world;
  const [shop, neighbour] = [await world.addWorkspace(), await world.addWorkspace()];
  const plan = await posthorn.plans.create({ name: "Limited", dailyRateLimit: 5_000 });
  for (const { id } of [shop, neighbour])
    await posthorn.plans.assignToWorkspace({ workspaceId: id, planId: plan.id });

  const order: string[] = [];
  const note = (name: string, done: Promise<unknown>) => done.then(() => order.push(name));
  const send = (name: string, { id }: { id: number }) =>
    note(
      name,
      posthorn.emails.send({ subject: name, text: name, to: ["ada@example.com"] }, { workspaceId: id }),
    );
  const recipients = Array.from({ length: 300 }, (_, index) => ({ to: `u${index}@example.com` }));
  isHeld = true;
  const mail = { subject: "News", text: "News", recipients };
  const batch = note("batch", posthorn.emails.sendBatch(mail, { workspaceId: shop.id }));
  await begun.promise;
  return { shop, neighbour, order, send, batch, write: () => gate.resolve() };
}

test("sends wait behind their workspace's large batch that locks its counters, and hold up no other workspace", async () => {
  const { shop, neighbour, order, send, batch, write } = await openWorld({ hasRoom: false });
  const own = send("own", shop);
  await send("neighbour", neighbour);
  await send("neighbour again", neighbour);
  expect(order).toEqual(["neighbour", "neighbour again"]);
  write();
  await Promise.all([own, batch]);
  // Whatever is answered first: behind its transaction, a batch leaves turns to others.
  expect(order.slice(2).toSorted()).toEqual(["batch", "own"]);
  await send("own again", shop);
});

test("sends don't wait behind their workspace's large batch for which room is set aside", async () => {
  const { shop, order, send, batch, write } = await openWorld({ hasRoom: true });
  await send("own", shop);
  expect(order).toEqual(["own"]);
  write();
  await batch;
});

/** Workspaces with limits, whose counters others keep locked where `lock` says so. */
async function openLockable({ count }: { count: number }) {
  const storage = await openTestSqlite();
  let isLocked = (_: number): boolean => false;
  const charged: number[][] = [];
  const watched = (usage: Storage["usage"]): Storage["usage"] => ({
    ...usage,
    reserve(requests) {
      const ids = [...new Set(requests.map(({ workspaceId }) => workspaceId))].sort();
      charged.push(ids);
      if (ids.some(isLocked))
        throw new StorageUnavailable("canceled due to lock timeout", { isLocked: true });
      return usage.reserve(requests);
    },
  });
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  let held = 0;
  const world = await createWorld({
    ...storage,
    async transaction(work) {
      if (isHeld) {
        held += 1;
        await gate.promise;
      }
      return storage.transaction((repositories) =>
        work(Object.create(repositories, { usage: { value: watched(repositories.usage) } })),
      );
    },
  });
  const hold = (holds: boolean) => {
    isHeld = holds;
  };
  onTestFinished(() => world.close());
  const { posthorn } = world;
  await posthorn.plans.create({ name: "Limited", hourlyRateLimit: 100, isDefault: true });
  const ids: number[] = [];
  while (ids.length < count) ids.push((await world.addWorkspace()).id);
  const send = (workspaceId: number, key: object) => {
    const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"], ...key };
    return posthorn.emails.send(mail, { workspaceId }).then(
      () => "ok",
      (error: unknown) => (error instanceof StorageUnavailable ? refused : error),
    );
  };
  const sendTo = async (asked: readonly number[], keyOf: (id: number) => object = () => ({})) => {
    charged.length = 0;
    return await Promise.all(asked.map((id) => send(id, keyOf(id))));
  };
  const lock = (which: (id: number) => boolean) => {
    isLocked = which;
  };
  return { ids, charged, sendTo, lock, hold, held: () => held, release: gate.resolve };
}

const refused = "unavailable";

test("sends of a workspace that others keep locked are accepted apart, and fail no other's", async () => {
  const { ids, charged, sendTo, lock } = await openLockable({ count: 3 });
  const [first = 0] = ids;
  const all = [...ids, ...ids];
  lock((id) => id === first);
  expect(await sendTo(all)).toEqual([refused, "ok", "ok", refused, "ok", "ok"]);
  // What failed together is then tried by itself.
  expect(charged).toEqual([ids, ...ids.map((id) => [id]), [first], [first]]);
  // Their next commit does not share its locks any more.
  expect(await sendTo(all)).toEqual([refused, "ok", "ok", refused, "ok", "ok"]);
  expect(charged).toContainEqual(ids.slice(1));
  expect(charged.filter((those) => those.includes(first))).toEqual([[first], [first]]);
  lock(() => false);
  expect(new Set(await sendTo(all))).toEqual(new Set(["ok"]));
  await sendTo(all);
  expect(charged).toEqual([ids]);
});

test("beside locks of all, three workspaces are tried, and then the others together: each try takes as long", async () => {
  const { ids, charged, sendTo, lock } = await openLockable({ count: 7 });
  lock(() => true);
  const [last = 0] = ids.slice(-1);
  const [some, others] = [ids.slice(0, -1), ids.slice(3, -1)];
  expect(new Set(await sendTo(some))).toEqual(new Set([refused]));
  expect(charged).toEqual([some, ...ids.slice(0, 3).map((id) => [id]), others]);
  expect(await sendTo([...others, last])).toEqual(Array(4).fill(refused));
  expect(charged).toContainEqual([last]);
  lock(() => false);
  expect(new Set(await sendTo(ids))).toEqual(new Set(["ok"]));
});

test("three workspaces that others keep locked fail no other's sends, whatever their order", async () => {
  const { ids, charged, sendTo, lock } = await openLockable({ count: 6 });
  lock((id) => ids.indexOf(id) < 3);
  for (let round = 0; round < 2; round += 1)
    expect(await sendTo(ids)).toEqual([refused, refused, refused, "ok", "ok", "ok"]);
  // One more is found as usual.
  lock((id) => ids.indexOf(id) < 4);
  expect(await sendTo(ids)).toEqual([refused, refused, refused, refused, "ok", "ok"]);
  expect(charged).toContainEqual(ids.slice(3));
});

test("what has waited for two locks is refused without a third: everybody is to have an answer within 5 s", async () => {
  const { ids, charged, sendTo, lock } = await openLockable({ count: 1 });
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 1_600 * charged.length);
  onTestFinished(() => clock.mockRestore());
  lock(() => true);
  expect(await sendTo([...ids, ...ids, ...ids])).toEqual(Array(3).fill(refused));
  expect(charged).toEqual([ids, ids]);
});

test("workspaces with a send under a key, which others may have locked, are tried last: they fail no other's", async () => {
  const { ids, sendTo, lock } = await openLockable({ count: 6 });
  const isFirst = (id: number) => ids.indexOf(id) < 3;
  lock(isFirst);
  const outcomes = await sendTo(ids, (id) => (isFirst(id) ? { dedupeKey: "order-7" } : {}));
  expect(outcomes).toEqual([refused, refused, refused, "ok", "ok", "ok"]);
});

test("however many workspaces others keep locked, three transactions at a time wait for that: others need connections", async () => {
  const { ids, sendTo, lock, hold, held, release } = await openLockable({ count: 9 });
  const [neighbour = 0, ...gone] = ids;
  lock((id) => id !== neighbour);
  // All are accepted apart from then on.
  for (let round = 0; round < 2; round += 1) await sendTo(gone);
  hold(true);
  const sends = sendTo(gone);
  await vi.waitFor(() => expect(held()).toBeGreaterThanOrEqual(3), 60_000);
  hold(false);
  expect(await sendTo([neighbour])).toEqual(["ok"]);
  expect(held()).toBe(3);
  release();
  expect(new Set(await sends)).toEqual(new Set([refused]));
});
