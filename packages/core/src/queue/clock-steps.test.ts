import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createFixedClock, createWorld, type FixedClock, type World } from "../testing/index.ts";

const minute = 60_000;
const steps = [10 * minute, -10 * minute];

let database: FixedClock;
let world: World;
let workspaceId: number;
beforeEach(async () => {
  database = createFixedClock();
  const storage = await openTestSqlite();
  world = await createWorld({ ...storage, now: async () => database.now() }, { databaseClock: "own" });
  await world.posthorn.migrate();
  workspaceId = (await world.addWorkspace()).id;
});
afterEach(() => world.close());

const send = (scheduledAt?: string) =>
  world.posthorn.emails.send(
    {
      subject: "Hi",
      text: "x",
      to: ["ada@example.com"],
      ...(scheduledAt === undefined ? {} : { scheduledAt }),
    },
    { workspaceId },
  );
const pass = (ms: number) => {
  database.advance(ms);
  world.clock.advance(ms);
};

describe.each(steps)("a step of this machine's clock by %i ms", (step) => {
  test("neither delays nor duplicates e-mails, and takes none from a live worker", async () => {
    await send();
    world.clock.step(step);
    const second = await send();
    expect(second.status).toBe("queued");
    expect(await world.posthorn.drain()).toBe(2);
    await send();
    const { due } = await world.storage.emailQueue.look(database.now(), 9);
    const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
    await world.storage.emailQueue.claim({
      wants,
      now: database.now(),
      leaseMs: 30_000,
      worker: "other",
      maxBytes: 1e9,
    });
    world.clock.step(step);
    pass(29_999);
    expect(await world.posthorn.drain()).toBe(0);
    pass(30_000);
    expect(await world.posthorn.drain()).toBe(1);
    expect(world.mailer.inbox.all()).toHaveLength(3);
  });

  test("leaves delivering workers listed", async () => {
    world.clock.step(step);
    world.posthorn.start();
    await expect
      .poll(async () => (await world.posthorn.queue.status({})).workers)
      .toEqual([{ id: expect.any(String), seenAt: database.now() }]);
  });
});

describe.each(steps)("a step of the database's clock by %i ms", (step) => {
  test("neither delays nor duplicates queued e-mails", async () => {
    await send();
    database.step(step);
    await send();
    pass(5_000);
    expect(await world.posthorn.drain()).toBe(2);
    expect(await world.posthorn.drain()).toBe(0);
    await send();
    expect(await world.posthorn.drain()).toBe(1);
    expect(world.mailer.inbox.all()).toHaveLength(3);
  });
});

/** Opens a service as another process on the database, which has read its clock. */
async function openOther(): Promise<World> {
  const other = await createWorld(world.storage, { databaseClock: "own", clock: world.clock });
  onTestFinished(() => other.posthorn.close());
  await other.posthorn.drain();
  return other;
}

test.each([
  ["before any process notices", false],
  ["after the process that delivers noticed", true],
])(
  "what is accepted by the former time, %s that the machine's clock stepped back, is due within seconds",
  async (_, isNoticed) => {
    const accepting = await openOther();
    const workspace = await world.addWorkspace();
    const { id: webhookId } = await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["email.bounced"] },
      workspace.asOwner,
    );
    await world.posthorn.drain();
    world.clock.step(-60 * minute);
    database.step(-60 * minute);
    pass(6_000);
    if (isNoticed) await world.posthorn.drain();
    const email = { subject: "Hi", text: "x", to: ["ada@example.com"] };
    await accepting.posthorn.emails.send(email, { workspaceId });
    await accepting.posthorn.webhooks.test({ webhookId }, workspace.asOwner);
    pass(6_000);
    expect(await world.posthorn.drain()).toBe(2);
  },
);

test("a worker that starts just after the database's clock stepped forward takes none from a live worker", async () => {
  await send();
  const { emailQueue } = world.storage;
  const { due } = await emailQueue.look(database.now(), 9);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
  const [claimed] = await emailQueue.claim({
    ...{ wants, now: database.now(), leaseMs: 30_000, worker: "live", maxBytes: 1e9 },
  });
  database.step(10 * minute);
  const starting = await openOther();
  for (let seconds = 1; seconds < 10; seconds += 1) {
    pass(1_000);
    expect(await starting.posthorn.drain()).toBe(0);
  }
  const now = database.now();
  expect(await emailQueue.renew([claimed?.lease.claimId ?? 0], now, now + 30_000)).toHaveLength(1);
  pass(20_000);
  expect(await starting.posthorn.drain()).toBe(0);
  // Unless that has died, too.
  pass(30_000);
  expect(await starting.posthorn.drain()).toBe(1);
});

test("scheduled e-mails keep their time when the database's clock steps back", async () => {
  const at = new Date(database.now() + 2 * minute).toISOString();
  await send(at);
  database.step(-10 * minute);
  expect(await world.posthorn.drain()).toBe(0);
  pass(12 * minute);
  expect(await world.posthorn.drain()).toBe(1);
});

test("the first e-mail of a process is due at once, even if its machine's clock is ahead", async () => {
  const storage = await openTestSqlite();
  const now = async () => database.now();
  const clock = createFixedClock(database.now() + 10 * minute);
  const ahead = await createWorld({ ...storage, now }, { databaseClock: "own", clock });
  onTestFinished(() => ahead.close());
  const workspace = await ahead.addWorkspace();
  await ahead.posthorn.migrate();
  const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };
  await ahead.posthorn.emails.send(mail, { workspaceId: workspace.id });
  expect((await storage.emailQueue.look(database.now(), 9)).due).toHaveLength(1);
});
