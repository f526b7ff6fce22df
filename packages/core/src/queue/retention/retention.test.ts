import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { answerAll, createWorld, type TestWorkspace, type World } from "../../testing/index.ts";
import { removeOld } from "./remove-old.ts";

const day = 86_400_000;

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
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

describe("retention", () => {
  test("removes e-mails past the plan's retention, and their content; none if the plan keeps them", async () => {
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

  test("leaves e-mails that still wait, and counts their period from when they are sent", async () => {
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
    world.clock.advance(day);
    await world.posthorn.prune();
    expect(await count(workspace)).toBe(1);
    world.clock.advance(1);
    await world.posthorn.prune();
    expect(await count(workspace)).toBe(0);
  });

  test("removes stored answers after a day, counters after three, deliveries thirty days after their end", async () => {
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

  test("works through more than one batch, and ends early when aborted", async () => {
    const { storage, clock } = world;
    const { id } = await world.addWorkspace();
    await storage.transaction(async ({ contents, workspaces }) => {
      for (let n = 0; n <= 600; n++) {
        const stylesheetSetId = await contents.putStylesheetSet(`${n}`);
        await workspaces.update(id, { stylesheetSetId, updatedAt: clock.now() });
      }
    });
    const runtime = { storage, queueClock: clock, config: world.posthorn.config };
    let looks = 0;
    expect(await removeOld(runtime, () => ++looks > 0)).toMatchObject({ removed: 0 });
    expect(await storage.contents.deleteUnused(1)).toBe(1);
    expect(await removeOld(runtime)).toMatchObject({ removed: 599 });
  });

  test("removes the service's own e-mails, dead workers, and expired events", async () => {
    const { storage, clock, posthorn } = world;
    const workspace = await world.addWorkspace();
    await posthorn.accounts.forgotPassword({ email: workspace.owner.email });
    await vi.waitFor(async () => expect((await posthorn.queueStatus()).due).toBe(1), 60_000);
    await posthorn.drain();
    await storage.operations.beat("gone", clock.now());
    const events = async () =>
      (await storage.events.list({ workspaceId: "all" }, { offset: 0, limit: 9 })).total;
    expect(await events()).toBeGreaterThan(0);
    clock.advance(30 * day);
    await posthorn.prune();
    expect(await storage.operations.listWorkers(0)).toEqual([]);
    clock.advance(1);
    expect(await posthorn.prune()).toBeGreaterThan(0);
    clock.advance(370 * day);
    await posthorn.prune();
    expect(await events()).toBe(0);
  });

  test("removes a hold a day after its end, if its route lost all its e-mails meanwhile", async () => {
    const { mailer, clock, posthorn, storage } = world;
    const { id: workspaceId } = await world.addWorkspace();
    const hold = { cause: "unreachable", reason: "no route", retryAfterMs: 60_000 } as const;
    mailer.answerWith((message) => ({
      ...answerAll("deferred", undefined, "down")(message),
      held: hold,
    }));
    const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hello." };
    const { id: emailId } = await posthorn.emails.send(mail, { workspaceId });
    await posthorn.drain();
    await posthorn.emails.cancel({ emailId }, { workspaceId });
    const holds = async () => (await storage.emailQueue.parked(0)).length;
    clock.advance(day);
    await posthorn.prune();
    expect(await holds()).toBe(1);
    clock.advance(day);
    await posthorn.prune();
    expect(await holds()).toBe(0);
  });

  test("is done by one process at a time", async () => {
    const { operations } = world.storage;
    const take = (worker: string, now: number) => operations.takeJob("retention", worker, now, now + 60_000);
    const both = await Promise.all(["a", "b"].map((worker) => take(worker, 1_000)));
    expect(both.filter(Boolean)).toHaveLength(1);
    const [holder, other] = both[0] ? ["a", "b"] : ["b", "a"];
    expect(await take(holder ?? "", 2_000)).toBe(true);
    expect(await take(other ?? "", 61_999)).toBe(false);
    expect(await take(other ?? "", 62_000)).toBe(true);
    await operations.endJob("retention", other ?? "");
    expect(await take(holder ?? "", 62_001)).toBe(true);
  });

  test("contents follow the workspace's own period: the log says so, and nothing can be sent again", async () => {
    const workspace = await world.addWorkspace();
    const { posthorn, mailer, clock, storage } = world;
    await posthorn.settings.update({ contentRetentionDays: 3 }, workspace.asOwner);
    mailer.answerWith(answerAll("refused", 550, "550 5.7.1 no"));
    const { id } = await send(workspace);
    await posthorn.drain();
    const at = { workspaceId: workspace.id };
    clock.advance(3 * day);
    await posthorn.prune();
    expect(await posthorn.emails.get({ emailId: id }, at)).toMatchObject({ contentRemoved: false });
    clock.advance(1);
    const { ended } = await posthorn.retention.run({ dryRun: true });
    expect(ended.filter(({ rows }) => rows > 0)).toMatchObject([
      { table: "usage" },
      { table: "email_payloads", period: "by the workspace's content_retention_days", rows: 1 },
    ]);
    const { contentId = 0 } = (await storage.emails.find(workspace.id, id, 0)) ?? {};
    await posthorn.retention.run({});
    expect(await storage.contents.find(contentId)).toBeUndefined();
    expect(await posthorn.emails.get({ emailId: id }, at)).toMatchObject({
      contentRemoved: true,
      subject: "Hi",
      to: ["ada@example.com"],
      status: "failed",
    });
    await expect(posthorn.emails.retry({ emailId: id }, { workspaceId: "all" })).rejects.toMatchObject({
      code: "not_retryable",
      message: expect.stringContaining("was removed"),
    });
    const after = await posthorn.retention.run({ dryRun: true });
    expect(after.ended.every(({ rows }) => rows === 0)).toBe(true);
  });
});
