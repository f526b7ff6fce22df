import { describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import {
  add,
  answering,
  deliveries,
  drainNext,
  openWebhookWorldForEach,
  queue,
} from "../../../test/webhook-deliveries.ts";
import { database, hour, workspace, world } from "../../../test/world-for-each.ts";
import type { HttpPostResult } from "../../ports/http-sender.ts";
import { createFixedClock, createWorld } from "../../testing/index.ts";

openWebhookWorldForEach();

/** Options for waiting on a condition, enough for a busy machine. */
const patience = { timeout: 60_000, interval: 10 };

describe("the worker", () => {
  /** Holds posts to the matching hosts until they are released. Returns the URLs posted to, and the held posts. */
  function hold(hosts: RegExp) {
    const posted: string[] = [];
    const held: { url: string; go(answer: HttpPostResult): void }[] = [];
    world.http.answerWith(({ url }) => {
      posted.push(url);
      if (!hosts.test(url)) return Promise.resolve(answering(200)());
      return new Promise<HttpPostResult>((go) => held.push({ url, go }));
    });
    const letGo = (status: number) => {
      for (const { go } of held.splice(0)) go(answering(status)());
    };
    return { posted, held, letGo };
  }

  test("has at most sixteen posts to an endpoint under way, and a dead one delays no other", async () => {
    const [dead, good] = [await add("dead.example.com"), await add("good.example.com")];
    for (let n = 0; n < 40; n++) await queue(dead.id);
    for (let n = 0; n < 5; n++) await queue(good.id);
    const { held, letGo } = hold(/dead/);
    world.posthorn.start();
    await vi.waitFor(
      async () =>
        expect((await deliveries(good.id)).map(({ status }) => status)).toEqual(Array(5).fill("delivered")),
      patience,
    );
    await vi.waitFor(() => expect(held).toHaveLength(16), patience);
    letGo(500);
    // A failing endpoint gets one delivery at a time.
    await vi.waitFor(() => expect(held).toHaveLength(1), patience);
    const stopped = world.posthorn.stop();
    letGo(500);
    await stopped;
    expect((await deliveries(dead.id)).filter(({ attempts }) => attempts > 0)).toHaveLength(17);
  });

  test("leaves slots for others, however many endpoints of one workspace stall", async () => {
    for (let n = 0; n < 20; n++) {
      const { id } = await add(`slow${n}.example.com`);
      await queue(id);
      await queue(id);
    }
    const other = await world.addWorkspace();
    const { id } = await world.posthorn.webhooks.create(
      { url: "https://good.example.com/", events: ["*"] },
      other.asOwner,
    );
    const { held, letGo } = hold(/slow/);
    world.posthorn.start();
    await vi.waitFor(() => expect(held).toHaveLength(20), patience);
    const queued = await world.posthorn.webhooks.test({ webhookId: id }, other.asOwner);
    await vi.waitFor(async () => {
      const { items } = await world.posthorn.webhooks.listDeliveries({ webhookId: id }, other.asOwner);
      expect(items).toMatchObject([{ id: queued.id, status: "delivered" }]);
    }, patience);
    const stopped = world.posthorn.stop();
    letGo(200);
    await stopped;
    const leased = database.prepare(
      "select count(*) from posthorn_webhook_deliveries where lease_until is not null",
    );
    expect(leased.pluck().get()).toBe(0);
  });

  test("endpoints that answer slowly, of any number of workspaces, delay no other", async () => {
    const good = await add("good.example.com");
    for (let n = 0; n < 30; n++) {
      const { asOwner } = await world.addWorkspace();
      const url = `https://slow${n}.example.com/`;
      const { id: webhookId } = await world.posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
      await world.posthorn.webhooks.test({ webhookId }, asOwner);
    }
    const { held, letGo } = hold(/slow/);
    world.posthorn.start();
    await vi.waitFor(() => expect(held).toHaveLength(25), patience);
    world.clock.advance(3_000);
    await queue(good.id);
    await vi.waitFor(
      async () => expect(await deliveries(good.id)).toMatchObject([{ status: "delivered" }]),
      patience,
    );
    const stopped = world.posthorn.stop();
    letGo(200);
    await stopped;
  });

  test("keeps how prompt an endpoint is", async () => {
    const { id } = await add();
    const pace = async () => (await world.storage.webhooks.find(workspace.id, id))?.pace;
    const answerAfter = (durationMs: number) =>
      world.http.answerWith(() => ({ ...answering(200)(), durationMs }));
    for (const [ms, expected] of [
      [3, 0],
      [9_000, 2],
      [3, 1],
      [300, 1],
      [3, 0],
    ] as const) {
      answerAfter(ms);
      await queue(id);
      await world.posthorn.drain();
      expect(await pace()).toBe(expected);
    }
    await world.posthorn.webhooks.update(
      { webhookId: id, url: "https://new.example.com/" },
      workspace.asOwner,
    );
    expect(await pace()).toBe(1);
  });

  test("respects an endpoint's Retry-After, whatever waits there", async () => {
    const { id } = await add();
    for (let n = 0; n < 3; n++) await queue(id);
    const [first] = await deliveries(id);
    world.http.answerWith(answering(503, 120));
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(3);
    await queue(id);
    world.clock.advance(119_000);
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(3);
    world.http.answerWith(answering(200));
    expect(await drainNext()).toBe(1_000);
    expect((await deliveries(id)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    expect(first?.attempts).toBe(0);
  });

  test("retries when a retry falls due, without waiting for a poll", async () => {
    const own = await createWorld(await openTestSqlite(), {
      clock: { ...createFixedClock(), now: Date.now, monotonic: () => performance.now() },
      webhooks: { retryBaseSecs: 0.001 },
      worker: { pollMs: 600_000 },
    });
    const { asOwner } = await own.addWorkspace();
    const url = "https://hooks.example.com/";
    const { id: webhookId } = await own.posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
    own.http.answerWith(answering(500));
    own.posthorn.start();
    await own.posthorn.webhooks.test({ webhookId }, asOwner);
    await vi.waitFor(async () => {
      const { items } = await own.posthorn.webhooks.listDeliveries({ webhookId }, asOwner);
      expect(items).toMatchObject([{ status: "failed", attempts: 4 }]);
    }, patience);
    await own.close();
  });

  test("posts nothing to a disabled webhook: its waiting deliveries end", async () => {
    const { id } = await add();
    for (let n = 0; n < 3; n++) await queue(id);
    await world.posthorn.webhooks.update({ webhookId: id, isActive: false }, workspace.asOwner);
    await world.posthorn.drain();
    expect(world.http.posts).toEqual([]);
    const ended = { status: "failed", attempts: 0, error: "the webhook is disabled", dueAt: undefined };
    expect(await deliveries(id)).toMatchObject(Array(3).fill(ended));
    expect(await world.storage.webhookDeliveries.nextDueAt()).toBeUndefined();
  });

  test("is not delayed by a clock that steps back", async () => {
    const { id } = await add();
    await world.posthorn.drain();
    world.clock.advance(600_000);
    await queue(id);
    await world.posthorn.drain();
    world.http.answerWith(answering(500));
    await queue(id);
    await world.posthorn.drain();
    const before = world.http.posts.length;
    world.clock.step(-600_000);
    world.clock.advance(30_000);
    await queue(id);
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(before + 1);
    expect(((await world.storage.webhookDeliveries.nextDueAt()) ?? 0) - world.clock.now()).toBeLessThan(
      7_000,
    );
  });

  test("waits for no pause that an endpoint asked for before the clock stepped back", async () => {
    const { id } = await add();
    world.http.answerWith(answering(503, 60));
    await queue(id);
    await world.posthorn.drain();
    const before = world.http.posts.length;
    world.http.answerWith();
    world.clock.step(-hour);
    world.clock.advance(30_000);
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(before);
    await queue(id);
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(before + 1);
  });

  test("waits for no pause that ends later than any may, as the clock stepped back while no process ran", async () => {
    const { id } = await add();
    world.clock.step(48 * hour);
    world.http.answerWith(answering(503, 60));
    await queue(id);
    await world.posthorn.drain();
    world.clock.step(-48 * hour);
    const later = await createWorld(world.storage, { clock: world.clock });
    await queue(id);
    await later.posthorn.drain();
    expect(later.http.posts).toHaveLength(1);
  });

  test.each(["ahead of", "behind"])(
    "follows the database's clock: this machine's is %s it",
    async (apart) => {
      const own = await createWorld(await openTestSqlite(), {
        databaseClock: "own",
      });
      const hourOff = apart === "behind" ? -hour : hour;
      own.clock.set(Date.now() + hourOff);
      const { asOwner } = await own.addWorkspace();
      const url = "https://hooks.example.com/";
      const { id: webhookId } = await own.posthorn.webhooks.create(
        { url, events: ["email.queued", "email.sent"] },
        asOwner,
      );
      own.http.answerWith(answering(500));
      await own.posthorn.drain();
      await own.posthorn.emails.send(
        { subject: "Hi", text: "Hello", to: ["ada@example.com"] },
        { workspaceId: asOwner.workspaceId },
      );
      await own.posthorn.webhooks.test({ webhookId }, asOwner);
      await own.posthorn.drain();
      expect(own.http.posts).toHaveLength(3);
      const { items } = await own.posthorn.webhooks.listDeliveries({ webhookId }, asOwner);
      for (const { dueAt } of items) {
        const wait = (dueAt ?? 0) - Date.now();
        expect(wait).toBeGreaterThan(-60_000);
        expect(wait).toBeLessThan(6_000);
      }
      await own.close();
    },
  );

  test("a delivery whose worker died is posted again under the same id", async () => {
    const { id } = await add();
    const deliveryId = await queue(id);
    const now = world.clock.now();
    const due = await world.storage.webhookDeliveries.look({ now, most: 1, limit: 1 });
    const wants = due.map(({ row }) => ({ row, limit: 1 }));
    await world.storage.webhookDeliveries.claim({ wants, now, leaseMs: 1_000 });
    await world.posthorn.drain();
    expect(world.http.posts).toEqual([]);
    // As long as a worker leaves expired leases to their owners after its start.
    world.clock.advance(5_000);
    await world.posthorn.drain();
    expect(world.http.posts.map(({ headers }) => headers["webhook-id"])).toEqual([deliveryId]);
    expect(await deliveries(id)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });
});
