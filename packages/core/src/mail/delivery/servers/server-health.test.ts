import { describe, expect, test, vi } from "vitest";
import {
  add,
  answers,
  asked,
  bringDown,
  dead,
  get,
  held,
  names,
  openServersForEach,
  parked,
  rows,
  send,
  show,
} from "../../../../test/workspace-servers.ts";
import { minute, workspace, world } from "../../../../test/world-for-each.ts";
import { healthySmtpServer, type SmtpServer, StorageUnavailable } from "../../../ports/storage.ts";
import { createRuntime } from "../../../service/create-runtime.ts";
import { acceptAll, answerAll } from "../../../testing/index.ts";
import { serversRoute } from "../../rules/routes.ts";
import { createServerHealthWatch } from "./server-health.ts";

openServersForEach();

const told = async () => {
  const { items } = await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 99 });
  return items
    .filter(({ type }) => /^smtp_server\.(down|recovered)$/.test(type))
    .map(({ type }) => type)
    .reverse();
};

test("a server's first fault is shown at once, although it is not down, and written no more until it is", async () => {
  const first = await add("first", { priority: 1 });
  await add("second");
  answers["first"] = dead;
  const at = world.clock.now();
  const versionOf = async () =>
    (await world.storage.smtpServers.list(workspace.id)).find(({ id }) => id === first.id)?.healthVersion ??
    0;
  const before = await versionOf();
  for (const subject of ["a", "b", "c"]) {
    await send(subject);
    await world.posthorn.drain();
    if (subject !== "a") world.clock.advance(1000);
  }
  expect(await versionOf()).toBe(before + 1);
  expect(await show(first.id)).toMatchObject({
    state: "up",
    lastError: "unreachable for a reason",
    lastErrorAt: at,
  });
  expect(world.mailer.inbox.all()).toHaveLength(3);
  expect(await told()).toEqual([]);
});

test("a server that now fails and now works has its fault written once a minute", async () => {
  const first = await add("first", { priority: 1 });
  await add("second");
  const written: (number | undefined)[] = [];
  for (let mail = 0; mail < 12; mail += 1) {
    answers["first"] = mail % 2 === 0 ? dead : acceptAll;
    await send(`${mail}`);
    await world.posthorn.drain();
    written.push((await show(first.id)).lastErrorAt);
    world.clock.advance(10_000);
  }
  expect(new Set(written).size).toBe(2);
});

describe("a server that fails three times in a row", () => {
  test("is down for 30 s, for all routes, and reported once: to the log, and to webhooks", async () => {
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["smtp_server.down", "smtp_server.recovered"] },
      workspace.asOwner,
    );
    const first = await add("first", { priority: 1 });
    await add("second");
    answers["first"] = dead;
    for (let n = 1; n <= 3; n += 1) {
      await Promise.all([send(`a${n}`), send(`b${n}`)]);
      await world.posthorn.drain();
      world.clock.advance(1000);
    }
    // Faults of simultaneous mails count once.
    expect(await show(first.id)).toMatchObject({
      state: "down",
      downUntil: world.clock.now() - 1000 + 30_000,
      lastError: "unreachable for a reason",
    });
    asked.length = 0;
    await send("later");
    await world.posthorn.drain();
    expect(asked).toEqual(["second later"]);
    expect(await told()).toEqual(["smtp_server.down"]);
    const [post] = world.http.posts;
    expect(JSON.parse(String(post?.body))).toEqual({
      event: "smtp_server.down",
      smtp_server_id: first.id,
      name: "first",
      reason: "unreachable for a reason",
      timestamp: expect.any(String),
    });
  });

  test("is tried with one e-mail after that time, and used again once that succeeds", async () => {
    const first = await add("first", { priority: 1 });
    await add("second");
    await bringDown("first", async () => {
      await send("one", { smtpServerId: first.id });
    });
    expect((await show(first.id)).state).toBe("down");
    let [tries, byOthers] = [0, 0];
    const others = Promise.withResolvers<void>();
    world.mailer.answerWith(async (message) => {
      const name = names.get(message.server?.id ?? "") ?? "platform";
      if (name === "first" && (await show(first.id)).state === "down") tries += 1;
      else byOthers += 1;
      // The e-mail that tries the server is under way until each of the others has gone somewhere.
      if (tries > 1 || byOthers === 4) others.resolve();
      if (name === "first") await others.promise;
      return acceptAll(message);
    });
    world.clock.advance(30_000);
    await Promise.all(["a", "b", "c", "d", "e"].map((subject) => send(subject)));
    await world.posthorn.drain();
    // An e-mail without another server, held while a mail tried this one, is sent a second later.
    world.clock.advance(1000);
    await world.posthorn.drain();
    expect(tries).toBe(1);
    expect(world.mailer.inbox.all()).toHaveLength(6);
    expect(await show(first.id)).toMatchObject({ state: "up", downUntil: undefined });
    expect(await told()).toEqual(["smtp_server.down", "smtp_server.recovered"]);
  });

  test("waits twice as long each time, ten minutes at most; its owner is informed after 15 minutes, once", async () => {
    const first = await add("first");
    await bringDown("first", () => send("one"));
    const waits: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      const { downUntil = 0 } = await show(first.id);
      waits.push(Math.round((downUntil - world.clock.now()) / 1000));
      while (world.clock.now() < downUntil) world.clock.advance(minute);
      await world.posthorn.drain();
    }
    expect(waits).toEqual([29, 60, 120, 240, 480, 600, 600, 600]);
    expect(await told()).toEqual(["smtp_server.down"]);
    const mails = world.mailer.inbox.all().filter(({ subject }) => /accepts no mail/.test(subject));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("unreachable for a reason");
  });

  test("and has a pace, is used again at once when a clock that was ahead is set back by an hour", async () => {
    const first = await add("first", { maxPerSecond: 1 });
    await send("paced");
    await world.posthorn.drain();
    await bringDown("first", () => send("one"));
    answers["first"] = acceptAll;
    world.clock.step(-60 * minute);
    world.clock.advance(5_000);
    asked.length = 0;
    await world.posthorn.drain();
    expect(asked).toEqual(["first one"]);
    expect((await show(first.id)).state).toBe("up");
  });

  test.each(["accepted", "refused"] as const)(
    "and its state can't be stored once it works again: what it %s is settled, and not sent once more",
    async (outcome) => {
      const first = await add("first");
      await bringDown("first", () => send("one"));
      answers["first"] = (message) => {
        vi.spyOn(world.storage, "transaction").mockRejectedValueOnce(new StorageUnavailable("away"));
        return outcome === "accepted" ? acceptAll(message) : answerAll(outcome, 550, "no")(message);
      };
      asked.length = 0;
      world.clock.advance(30_000);
      await world.posthorn.drain();
      world.clock.advance(60 * minute);
      await world.posthorn.drain();
      expect(asked).toEqual(["first one"]);
      const { items } = await world.posthorn.emails.list({}, workspace.asOwner);
      expect(items.map(({ status }) => status)).toEqual([outcome === "accepted" ? "sent" : "failed"]);
      expect((await show(first.id)).state).toBe("down");
    },
  );

  test("costs its e-mails no attempt, and delays no e-mail that another server accepts", async () => {
    const first = await add("first", { priority: 1 });
    await add("second");
    const waiting = await send("pinned", { smtpServerId: first.id });
    await bringDown("first", () => send("free"));
    expect(world.mailer.inbox.find({ subject: "free" })).toBeDefined();
    expect(await get(waiting.id)).toMatchObject({ status: "queued", attempts: [] });
    answers["first"] = acceptAll;
    world.clock.advance(10 * minute);
    await world.posthorn.drain();
    expect(await get(waiting.id)).toMatchObject({ status: "sent", attempts: [{ number: 1 }] });
  });

  test("continues at once when it is changed, and is reported as recovered once that works", async () => {
    const first = await add("first", { username: "ann", password: "wrong" });
    // A refused login is not tried three times: providers lock accounts after fewer.
    answers["first"] = held("settings");
    await send("one");
    await world.posthorn.drain();
    expect(await show(first.id)).toMatchObject({ state: "down", lastError: "settings for a reason" });
    expect(await world.posthorn.drain()).toBe(0);
    const change = (password: string) =>
      world.posthorn.smtpServers.update({ smtpServerId: first.id, password }, workspace.asOwner);
    await change("wrong, too");
    await world.posthorn.drain();
    expect(await show(first.id)).toMatchObject({ state: "down", downUntil: world.clock.now() + 30_000 });
    expect(await told()).toEqual(["smtp_server.down"]);
    answers["first"] = acceptAll;
    await change("right");
    await world.posthorn.drain();
    expect(asked).toEqual(["first one", "first one", "first one"]);
    expect(await show(first.id)).toMatchObject({ state: "up", downUntil: undefined });
    expect(await told()).toEqual(["smtp_server.down", "smtp_server.recovered"]);
    expect(world.mailer.inbox.all()[0]?.server).toMatchObject({ version: 3, password: "right" });
  });
});

describe("a server's rate limit", () => {
  test("is respected, whatever waits: e-mails without a time hold no place, and stay in order", async () => {
    const slow = await add("slow", { maxPerSecond: 0.25 });
    await add("other");
    for (const subject of ["1", "2", "3"]) await send(subject, { smtpServerId: slow.id });
    await world.posthorn.drain();
    expect(asked).toEqual(["slow 1"]);
    expect(await world.posthorn.queueStatus()).toMatchObject({ leased: 0, due: 2 });
    expect(await parked()).toEqual([
      {
        route: serversRoute(workspace.id, await rows(slow)),
        reason: "limited: the server is limited to 0.25 per second",
      },
    ]);
    for (const [ms, ...expected] of [[2999], [1001, "slow 2"], [2999], [1001, "slow 3"]] as const) {
      asked.length = 0;
      world.clock.advance(ms);
      await world.posthorn.drain();
      expect(asked).toEqual(expected);
    }
    expect(await show(slow.id)).toMatchObject({ state: "up" });
  });

  test("is no fault: no other server takes over its e-mails", async () => {
    await add("slow", { priority: 1, maxPerHour: 1 });
    await add("other");
    await send("1");
    await send("2");
    await world.posthorn.drain();
    expect(asked).toEqual(["slow 1"]);
    world.clock.advance(60 * minute);
    await world.posthorn.drain();
    expect(asked).toEqual(["slow 1", "slow 2"]);
  });
});

test("workers share a server's connections", async () => {
  await add("relay", { maxConnections: 7 });
  const { operations } = world.storage;
  for (const worker of ["w1", "w2", "w3"]) await operations.beat(worker, world.clock.now());
  const connections: (number | undefined)[] = [];
  answers["relay"] = (message) => {
    connections.push(message.server?.connections);
    return acceptAll(message);
  };
  for (const subject of ["1", "2"]) {
    await send(subject);
    await world.posthorn.drain();
    world.clock.advance(1000);
  }
  expect(connections).toEqual([2, 2]);
});

test("the faults of 10,000 servers are counted, so that deleted ones take no memory for ever", async () => {
  const { storage, mailer, clock } = world;
  const secretKey = "only for the tests, 0123456789abcdef";
  const runtime = createRuntime({ storage, mailer, clock, secretKey }, { tell: () => {} });
  const watch = createServerHealthWatch(runtime);
  const health = { ...healthySmtpServer, lastErrorAt: runtime.queueClock.now() };
  const fault = { cause: "unreachable", reason: "none", retryAfterMs: 0 } as const;
  const fail = async (row: number) => {
    const { retryAfterMs } = await watch.failed({ row, health, healthVersion: 0 } as SmtpServer, fault);
    return retryAfterMs > 0;
  };
  const deleted = Array.from({ length: 9_999 }, (_, index) => index + 9);
  const rows = [1, 2, 1, 2, ...deleted, 2, 1];
  const isDown: boolean[] = [];
  for (const row of rows) isDown.push(await fail(row));
  expect(isDown.slice(-2)).toEqual([true, false]);
});
