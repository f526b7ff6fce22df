import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { eventsOf } from "../../../test/deliveries.ts";
import { database, get, hour, openDatabaseForEach, send, world } from "../../../test/world-for-each.ts";
import {
  acceptAll,
  answerAll,
  createFixedClock,
  createMemoryMailer,
  createWorld,
  type MemoryMailer,
  type World,
} from "../../testing/index.ts";

openDatabaseForEach();

/** Creates a second service on the same database, with the same clock and mailer. */
async function createOther(): Promise<World> {
  return createWorld(await createSqliteStorage({ database }), { clock: world.clock, mailer: world.mailer });
}

describe("the worker", () => {
  test("delivers e-mails accepted while it runs, and stops when nothing is under way", async () => {
    world.posthorn.start();
    const sent = world.mailer.inbox.waitFor({ subject: "now" });
    const { id } = await send({ subject: "now" });
    await sent;
    await world.posthorn.stop();
    expect((await get(id)).status).toBe("sent");
  });

  test("claims nothing while the queue is paused", async () => {
    await world.posthorn.queue.pause({});
    await send();
    expect(await world.posthorn.drain()).toBe(0);
    await world.posthorn.queue.resume({});
    expect(await world.posthorn.drain()).toBe(1);
  });

  test("sends at a server's pace without waiting for a poll whenever its next second is taken", async () => {
    const paced = await createWorld(await openTestSqlite(), {
      clock: { ...createFixedClock(), now: Date.now, monotonic: () => performance.now() },
      worker: { pollMs: 600_000 },
    });
    const shop = paced.posthorn.workspace((await paced.addWorkspace()).id);
    const fromDomains = ["shop.example"];
    await shop.smtpServers.create({ name: "slow", host: "mail.shop.example", fromDomains, maxPerSecond: 10 });
    const input = { from: "hello@shop.example", subject: "Hi", text: "x", to: ["ada@example.com"] };
    for (let n = 0; n < 25; n++) await shop.emails.send(input);
    paced.posthorn.start();
    await vi.waitFor(() => expect(paced.mailer.inbox.all()).toHaveLength(25), { timeout: 60_000 });
    await paced.close();
  }, 40_000);

  test("stopping waits for e-mails under way and releases the rest without an attempt", async () => {
    const small = await createWorld(await openTestSqlite(), {
      worker: { concurrency: 1 },
    });
    const { id: workspaceId } = await small.addWorkspace();
    let answer = () => {};
    const begun = new Promise<void>((resolve) => {
      small.mailer.answerWith(async (message) => {
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        return {
          recipients: [{ address: message.envelope.to[0] ?? "", outcome: "accepted", reply: "ok" }],
          inDoubt: false,
        };
      });
    });
    const input = { subject: "Hi", text: "x", to: ["ada@example.com"] };
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await small.posthorn.emails.send(input, { workspaceId })).id);
    small.posthorn.start();
    await begun;
    let stopped = 0;
    const note = () => {
      stopped += 1;
    };
    const stops = [small.posthorn.stop().then(note), small.posthorn.stop().then(note)];
    await small.storage.ping();
    expect(stopped).toBe(0);
    answer();
    await Promise.all(stops);
    const details = await Promise.all(
      ids.map((emailId) => small.posthorn.emails.get({ emailId }, { workspaceId })),
    );
    expect(details.map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ["sent", 1],
      ["queued", 0],
      ["queued", 0],
    ]);
    expect((await small.posthorn.queueStatus()).due).toBe(2);
    await small.close();
  });

  test("shares a queue with another: each e-mail is sent once, and both deliver", async () => {
    const folder = await mkdtemp(join(tmpdir(), "posthorn-"));
    const open = async (mailer: MemoryMailer) =>
      createWorld(await createSqliteStorage({ filename: join(folder, "queue.db") }), {
        mailer,
        worker: { concurrency: 2, pollMs: 10 },
      });
    const mailers = [createMemoryMailer(), createMemoryMailer()] as const;
    const [one, other] = [await open(mailers[0]), await open(mailers[1])];
    const { id: workspaceId } = await one.addWorkspace();
    const input = { subject: "Hi", text: "x", to: ["ada@example.com"] };
    const sent = await Promise.all(
      Array.from({ length: 60 }, () => one.posthorn.emails.send(input, { workspaceId })),
    );
    const took = () => mailers.map(({ inbox }) => inbox.all().map(({ emailId }) => emailId));
    const begun = new Set<MemoryMailer>();
    let openGate = () => {};
    const bothBegun = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    for (const mailer of mailers)
      mailer.answerWith(async (message) => {
        if (begun.add(mailer).size === mailers.length) openGate();
        await bothBegun;
        return acceptAll(message);
      });
    one.posthorn.start();
    other.posthorn.start();
    await vi.waitFor(() => expect(took().flat().length).toBeGreaterThanOrEqual(sent.length), 60_000);
    await Promise.all([one.posthorn.stop(), other.posthorn.stop()]);
    while ((await one.posthorn.drain()) > 0);
    expect(took().flat().sort()).toEqual(sent.map(({ id }) => id).sort());
    expect(begun.size).toBe(2);
    await Promise.all([one.close(), other.close()]);
    await rm(folder, { recursive: true });
  });

  test("a stale worker's outcome changes nothing and emits nothing", async () => {
    world.mailer.answerWith(async (message) => {
      // Meanwhile the lease expires, and another worker finishes the e-mail.
      world.clock.advance(hour);
      world.mailer.answerWith();
      await other.posthorn.drain();
      return answerAll("refused", 550, "no")(message);
    });
    const other = { posthorn: (await createOther()).posthorn };
    const { id } = await send();
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({ status: "sent", recipients: [{ state: "accepted", attempts: 1 }] });
    expect((await get(id)).attempts.map(({ outcome }) => outcome)).toEqual(["interrupted", "sent"]);
    expect(await eventsOf(id)).toEqual(["email.sent"]);
    expect(world.posthorn.counters().emails).toEqual({ sent: 0, deferred: 0, failed: 0 });
  });
});
