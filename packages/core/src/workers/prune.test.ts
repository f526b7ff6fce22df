import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type TestWorkspace, type World } from "../testing/index.ts";
import { prune } from "./prune.ts";

const day = 86_400_000;

let world: World;
beforeEach(async () => {
  world = await createWorld(await createSqliteStorage({ filename: ":memory:" }));
});
afterEach(() => world.close());

const send = ({ id }: TestWorkspace, scheduledAt?: string) =>
  world.posthorn.emails.send(
    {
      subject: "Hi",
      text: `Hello ${id}`,
      to: ["ada@example.com"],
      idempotencyKey: "k",
      ...(scheduledAt === undefined ? {} : { scheduledAt }),
    },
    { workspaceId: id },
  );
const count = async ({ id }: TestWorkspace) =>
  (await world.posthorn.emails.list({}, { workspaceId: id })).total;

describe("pruning", () => {
  test("removes e-mails past the plan's retention, and their content; none where the plan keeps them", async () => {
    const as = { as: await world.addUser({ admin: true }) };
    const plan = await world.posthorn.plans.create({ name: "Short", emailLogRetentionDays: 7 }, as);
    const [short, kept] = [await world.addWorkspace(), await world.addWorkspace()];
    await world.posthorn.plans.assignToWorkspace({ workspaceId: short.id, planId: plan.id }, as);
    await send(short);
    await send(kept);
    await world.posthorn.drain();
    world.clock.advance(7 * day);
    await world.posthorn.prune();
    expect([await count(short), await count(kept)]).toEqual([1, 1]);
    world.clock.advance(1);
    expect(await world.posthorn.prune()).toBe(2);
    expect([await count(short), await count(kept)]).toEqual([0, 1]);
    expect(await world.posthorn.prune()).toBe(0);
  });

  test("leaves what still waits", async () => {
    const as = { as: await world.addUser({ admin: true }) };
    const plan = await world.posthorn.plans.create({ name: "Short", emailLogRetentionDays: 1 }, as);
    const workspace = await world.addWorkspace();
    await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
    await send(workspace, "2030-01-20T00:00:00Z");
    world.clock.advance(10 * day);
    await world.posthorn.prune();
    expect(await count(workspace)).toBe(1);
    world.clock.advance(10 * day);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(1);
  });

  test("removes answers after a day, counters after three, deliveries thirty days after their end", async () => {
    const workspace = await world.addWorkspace();
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["email.sent"] },
      workspace.asOwner,
    );
    await send(workspace);
    await world.posthorn.drain();
    const { storage, clock } = world;
    const holder = `workspace:${workspace.id}`;
    const answers = async () => (await storage.idempotencyKeys.find(holder, "k", 0)) !== undefined;
    await world.posthorn.prune();
    expect(await answers()).toBe(true);
    clock.advance(day + 1);
    await world.posthorn.prune();
    expect(await answers()).toBe(false);
    clock.advance(2 * day);
    expect(await world.posthorn.prune()).toBeGreaterThan(0);
    clock.advance(27 * day);
    expect(await world.posthorn.prune()).toBe(1);
    expect(await world.posthorn.prune()).toBe(0);
  });

  test("works through more than one batch, and ends early where it is told to", async () => {
    const { storage } = world;
    const contents = (from: number) =>
      storage.transaction(async ({ contents }) => {
        for (let n = from; n < from + 1_100; n++) await contents.put({ subject: "", html: "", text: `${n}` });
      });
    await contents(0);
    let looks = 0;
    await prune(storage, world.clock.now(), () => ++looks > 0);
    expect(await storage.contents.deleteUnused(1)).toBe(1);
    expect(await prune(storage, world.clock.now())).toBe(1_099);
  });
});
