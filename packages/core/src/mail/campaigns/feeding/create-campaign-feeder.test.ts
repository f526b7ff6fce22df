import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../../../storage-sqlite/test/open-test-sqlite.ts";
import { silentLogger } from "../../../ports/logger.ts";
import { type Storage, StorageUnavailable } from "../../../ports/storage.ts";
import { acceptAll, answerAll } from "../../../testing/memory-mailer.ts";
import { createWorld, type World } from "../../../testing/world.ts";

let world: World;
/** Happens before the next transaction; what it throws fails that. */
let incident: (() => Promise<void>) | undefined;
let errors: string[] = [];
beforeEach(async () => {
  incident = undefined;
  errors = [];
  const storage = await openTestSqlite();
  const transaction: Storage["transaction"] = async (work) => {
    const happens = incident;
    incident = undefined;
    await happens?.();
    return await storage.transaction(work);
  };
  const logger = { ...silentLogger, error: (_: object, text = "") => void errors.push(text) };
  world = await createWorld({ ...storage, transaction }, { logger });
});
afterEach(() => world.close());

/** Starts a campaign whose first transaction fails; returns the number of delivered e-mails. */
async function failOnce(error: Error): Promise<() => Promise<number>> {
  const { campaigns } = world.posthorn.workspace((await world.addWorkspace()).id);
  const recipients = [1, 2, 3].map((n) => ({ to: `person${n}@example.com` }));
  const { id: campaignId } = await campaigns.create({ name: "Spring", subject: "x", text: "x", recipients });
  await campaigns.start({ campaignId });
  incident = () => Promise.reject(error);
  return async () => {
    await world.posthorn.drain();
    return (await campaigns.get({ campaignId })).counts.sent;
  };
}

test("a campaign whose last e-mails are tried again later, or held, is looked at when that can end", async () => {
  const { campaigns } = world.posthorn.workspace((await world.addWorkspace()).id);
  const recipients = [{ to: "person@example.com" }];
  const { id: campaignId } = await campaigns.create({ name: "Spring", subject: "x", text: "x", recipients });
  const statusAfter = async (): Promise<string> => {
    await world.posthorn.drain();
    return (await campaigns.get({ campaignId })).status;
  };
  const nextLookMs = async () => ((await world.storage.campaigns.nextLookAt()) ?? 0) - world.clock.now();
  world.mailer.answerWith(answerAll("deferred", 450, "450 4.2.0 greylisted"));
  await campaigns.start({ campaignId });
  expect(await statusAfter()).toBe("running");
  expect(await nextLookMs()).toBeGreaterThan(40_000);
  const [{ route } = { route: "" }] = await world.storage.emailQueue.routes(world.clock.now(), 1);
  await world.posthorn.queue.pause({ route });
  world.clock.advance(80_000);
  expect(await statusAfter()).toBe("running");
  expect(await nextLookMs()).toBe(60_000);
  await world.posthorn.queue.resume({ route });
  world.mailer.answerWith();
  world.clock.advance(60_000);
  expect(await statusAfter()).toBe("completed");
});

test("a campaign of which e-mails are in hand is looked at soon, though others are tried again later", async () => {
  const { campaigns } = world.posthorn.workspace((await world.addWorkspace()).id);
  const recipients = [1, 2].map((n) => ({ to: `person${n}@example.com` }));
  const { id: campaignId } = await campaigns.create({ name: "Spring", subject: "x", text: "x", recipients });
  world.mailer.answerWith(answerAll("deferred", 450, "450 4.2.0 greylisted"));
  await campaigns.start({ campaignId });
  await world.posthorn.drain();
  const { emailQueue } = world.storage;
  const nextLookMs = async () => ((await world.storage.campaigns.nextLookAt()) ?? 0) - world.clock.now();
  expect(await nextLookMs()).toBeGreaterThan(40_000);
  const [{ route } = { route: "" }] = await emailQueue.routes(world.clock.now(), 1);
  const later = world.clock.now() + 80_000;
  const wants = [{ route, lane: 2 as const, since: 0, limit: 1 }];
  expect(
    await emailQueue.claim({ wants, now: later, leaseMs: 600_000, worker: "w", maxBytes: 1e9 }),
  ).toHaveLength(1);
  world.clock.advance(60_000);
  await world.posthorn.drain();
  expect(await nextLookMs()).toBe(500);
});

test("a drain completes a campaign whose last e-mail it delivers, beside others whose e-mails are tried again", async () => {
  const { campaigns } = world.posthorn.workspace((await world.addWorkspace()).id);
  for (const name of ["late", "done", "later"]) {
    const recipients = [{ to: `${name}@example.com` }];
    const { id: campaignId } = await campaigns.create({ name, subject: "x", text: "x", recipients });
    await campaigns.start({ campaignId });
  }
  const defer = answerAll("deferred", 450, "450 4.2.0 greylisted");
  world.mailer.answerWith(defer);
  await world.posthorn.drain();
  world.clock.advance(80_000);
  world.mailer.answerWith((message) =>
    (message.envelope.to.includes("done@example.com") ? acceptAll : defer)(message),
  );
  await world.posthorn.drain();
  const { items } = await campaigns.list({ status: "completed" });
  expect(items.map(({ name }) => name)).toEqual(["done"]);
});

test("after a busy moment of the storage, a campaign continues within a second", async () => {
  const sent = await failOnce(new StorageUnavailable("another process holds the database"));
  expect(await sent()).toBe(0);
  world.clock.advance(1_000);
  expect(await sent()).toBe(3);
});

test("a failing campaign is retried after a while, and others continue", async () => {
  const sent = await failOnce(new TypeError("a fault of its own"));
  expect(await sent()).toBe(0);
  world.clock.advance(28_000);
  expect(await sent()).toBe(0);
  world.clock.advance(2_000);
  expect(await sent()).toBe(3);
});

test("campaigns of a workspace that others keep locked wait together, without a try for each, and no other's does", async () => {
  const [locked, other] = [await world.addWorkspace(), await world.addWorkspace()];
  const start = async ({ id }: typeof locked) => {
    const { campaigns } = world.posthorn.workspace(id);
    const recipients = [{ to: "person@example.com" }];
    const { id: campaignId } = await campaigns.create({ name: "x", subject: "x", text: "x", recipients });
    await campaigns.start({ campaignId });
    world.clock.advance(1);
    return async () => (await campaigns.get({ campaignId })).counts.sent;
  };
  const sent = [await start(locked), await start(locked), await start(other)];
  const counts = async () => {
    await world.posthorn.drain();
    return await Promise.all(sent.map((of) => of()));
  };
  incident = () => Promise.reject(new StorageUnavailable("locked", { isLocked: true }));
  expect(await counts()).toEqual([0, 0, 1]);
  world.clock.advance(8_000);
  expect(await counts()).toEqual([0, 0, 1]);
  world.clock.advance(2_000);
  expect(await counts()).toEqual([1, 1, 1]);
});

test("a workspace that is deleted while its campaign is fed is no failure", async () => {
  const { id } = await world.addWorkspace();
  const { campaigns } = world.posthorn.workspace(id);
  const recipients = [{ to: "person@example.com" }];
  const { id: campaignId } = await campaigns.create({ name: "Spring", subject: "x", text: "x", recipients });
  await campaigns.start({ campaignId });
  const { workspaces } = world.storage;
  incident = async () => void (await workspaces.delete(id));
  await world.posthorn.drain();
  expect(await workspaces.find(id)).toBeUndefined();
  expect(errors).toEqual([]);
});

test("a campaign put off just as it is found too late is not paused, and begins at its new time", async () => {
  const { campaigns } = world.posthorn.workspace((await world.addWorkspace()).id);
  const [hour, content] = [3_600_000, { name: "Spring", subject: "x", text: "x" }];
  const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
  const recipients = [{ to: "person@example.com" }];
  const { id: campaignId } = await campaigns.create({ ...content, recipients, scheduledAt: at(hour) });
  await campaigns.start({ campaignId });
  world.clock.advance(26 * hour);
  incident = async () => void (await campaigns.update({ ...content, campaignId, scheduledAt: at(hour) }));
  await world.posthorn.drain();
  expect(await campaigns.get({ campaignId })).toMatchObject({ status: "scheduled", pausedReason: undefined });
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(await campaigns.get({ campaignId })).toMatchObject({ status: "completed", counts: { sent: 1 } });
});

test("a campaign cancelled just as it begins withdraws its recipients", async () => {
  const { campaigns } = world.posthorn.workspace((await world.addWorkspace()).id);
  const scheduledAt = new Date(world.clock.now() + 3_600_000).toISOString();
  const recipients = [{ to: "person@example.com" }];
  const content = { name: "Spring", subject: "x", text: "x" };
  const { id: campaignId } = await campaigns.create({ ...content, recipients, scheduledAt });
  await campaigns.start({ campaignId });
  world.clock.advance(3_600_000);
  incident = async () => void (await campaigns.cancel({ campaignId }));
  await world.posthorn.drain();
  const { status, counts } = await campaigns.get({ campaignId });
  expect([status, counts]).toMatchObject(["cancelled", { pending: 0, cancelled: 1 }]);
});
