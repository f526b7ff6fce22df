import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventsOf } from "../../../test/deliveries.ts";
import { openWorldForEach, send, world } from "../../../test/world-for-each.ts";
import { silentLogger } from "../../ports/logger.ts";
import type { Repositories } from "../../ports/storage.ts";
import { createRuntime } from "../../service/create-runtime.ts";
import type { Runtime } from "../../service/runtime.ts";
import { claimAll, resultOf, the } from "../../testing/contract/claims.ts";
import { settleEmails } from "./settle-emails.ts";

openWorldForEach();

test("a settlement's transaction ends after all of its writes, also if the webhooks can't be read", async () => {
  const order: string[] = [];
  const repositories = {
    webhooks: { listActive: () => Promise.reject(new Error("damaged")) },
    emailQueue: {
      settle: async () => {
        await setImmediate();
        order.push("written");
        return [];
      },
    },
  } as unknown as Repositories;
  const storage = {
    transaction: (work: (storage: Repositories) => Promise<unknown>) =>
      work(repositories).finally(() => order.push("ended")),
  };
  const runtime = { storage, queueClock: { now: () => 0 } } as unknown as Runtime;
  const attempted = {
    kind: "tried",
    claimed: { route: "w:1", email: { workspaceId: 1 } },
    result: { emailId: "a" },
  };
  await expect(settleEmails(runtime, [attempted as never], () => false)).rejects.toThrow("damaged");
  expect(order).toEqual(["written", "ended"]);
});

test("of two attempts of an e-mail that a process lost and claimed again, one stands, with one event", async () => {
  const { storage, mailer, clock } = world;
  const told: string[] = [];
  const secretKey = "only for the tests, 0123456789abcdef";
  const tell = (events: { type: string }[]) => void told.push(...events.map(({ type }) => type));
  const runtime = createRuntime({ storage, mailer, clock, secretKey }, { tell });
  const { id } = await send();
  const claim = async () => the((await claimAll(storage, { now: clock.now() }))[0]);
  const lost = await claim();
  clock.advance(60_000);
  await storage.emailQueue.reclaim(await storage.emailQueue.claims(), clock.now());
  const again = await claim();
  const attempted = [lost, again].map((claimed) => ({
    kind: "tried" as const,
    claimed,
    result: resultOf(claimed, "accepted", { status: "sent", settledAt: clock.now() }),
    server: undefined,
  }));
  await settleEmails(runtime, attempted, () => false);
  expect(await eventsOf(id)).toEqual(["email.sent"]);
  expect(told).toEqual(["email.sent"]);
  expect(runtime.counters.emails.sent).toBe(1);
});

test.each([
  ["platform", 1_500.25, 1_501],
  ["platform", -5, 0],
  ["platform", 1e300, 48 * 3_600_000],
  // Of a workspace's servers, whose settings may change, no more than a minute.
  ["s:1:2-0", 3_600_000, 60_000],
])(
  "the route %s waits for a time that can be stored, whatever a mailer names: %s ms",
  async (route, retryAfterMs, waits) => {
    const parked: unknown[] = [];
    const released: unknown[] = [];
    const emailQueue = {
      park: async (one: object) => void parked.push(one),
      release: async (leases: unknown[]) => void released.push(...leases),
    };
    const repositories = { emailQueue } as unknown as Repositories;
    const storage = {
      transaction: (work: (storage: Repositories) => Promise<unknown>) => work(repositories),
    };
    const runtime = { storage, queueClock: { now: () => 7 }, logger: silentLogger } as unknown as Runtime;
    const hold = { cause: "limited", reason: "slow", retryAfterMs };
    const attempted = { kind: "held", claimed: { route, lease: "met" }, hold };
    // Of an earlier hold, which is not prolonged.
    const stood = { kind: "returned", claimed: { route: "w:1", lease: "stood" } };
    await settleEmails(runtime, [attempted as never, stood as never], () => false);
    expect(parked).toEqual([{ route, owner: "server", until: 7 + waits, reason: "limited: slow" }]);
    expect(released).toEqual(["met", "stood"]);
  },
);

test("a settlement that fails and is repeated parks a route once", async () => {
  const parked: unknown[] = [];
  const repositories = {
    webhooks: { listActive: () => Promise.reject(new Error("away")) },
    emailQueue: {
      park: async (one: object) => void parked.push(one),
      release: async () => {},
      settle: async () => [],
    },
  } as unknown as Repositories;
  const storage = {
    transaction: (work: (storage: Repositories) => Promise<unknown>) => work(repositories),
  };
  const runtime = { storage, queueClock: { now: () => 0 }, logger: silentLogger } as unknown as Runtime;
  const hold = { cause: "limited", reason: "slow", retryAfterMs: 1_000 };
  const held = { kind: "held", claimed: { route: "w:1", lease: "met" }, hold };
  const tried = {
    kind: "tried",
    claimed: { route: "w:2", email: { workspaceId: 2 } },
    result: { emailId: "a" },
  };
  for (let times = 0; times < 3; times += 1)
    await expect(settleEmails(runtime, [held, tried] as never[], () => false)).rejects.toThrow("away");
  expect(parked).toEqual([]);
  await settleEmails(runtime, [held as never], () => false);
  expect(parked).toHaveLength(1);
});

test("the queue is looked at once for those of all senders' domains that go to the same route", async () => {
  const moves: unknown[] = [];
  const emailQueue = {
    release: async () => {},
    takeAlong: async (move: object) => void moves.push(move),
  };
  const storage = {
    transaction: (work: (storage: Repositories) => Promise<unknown>) =>
      work({ emailQueue } as unknown as Repositories),
  };
  const runtime = { storage, queueClock: { now: () => 7 }, logger: silentLogger } as unknown as Runtime;
  const leaving = (from: string, to: string, smtpServerId?: string) =>
    ({ kind: "rerouted", claimed: { route: "w:1", email: { from, smtpServerId } }, route: to }) as never;
  const attempted = [
    leaving("a@a.example", "s:1:2"),
    leaving("B <b@B.example>", "s:1:2"),
    leaving("c@c.example", "s:1:3"),
    leaving("d@d.example", "s:1:2", "pinned"),
  ];
  await settleEmails(runtime, attempted, () => false);
  expect(moves).toEqual([
    { domains: new Set(["a.example", "b.example"]), from: "w:1", to: "s:1:2" },
    { domains: new Set(["c.example"]), from: "w:1", to: "s:1:3" },
  ]);
});
