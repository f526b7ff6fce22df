import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { MailHold, MailMessage, MailResult } from "../../ports/mailer.ts";
import { acceptAll, answerAll, createWorld, type TestWorkspace, type World } from "../../testing/index.ts";
import { serversRoute, workspaceRoute } from "../rules/routes.ts";

const minute = 60_000;
type Answer = (message: MailMessage) => MailResult;

let world: World;
let workspace: TestWorkspace;
/** What each server does, by name; takes mail where nothing is said. `platform` is the operator's. */
let answers: Record<string, Answer>;
/** Who was asked to take which mail, in order. */
let asked: string[];
const names = new Map<string, string>();

beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  workspace = await world.addWorkspace();
  answers = {};
  asked = [];
  names.clear();
  world.mailer.answerWith((message) => {
    const name = message.server === undefined ? "platform" : (names.get(message.server.id) ?? "?");
    asked.push(`${name} ${message.subject}`);
    return (answers[name] ?? acceptAll)(message);
  });
});
afterEach(() => world.close());

async function add(name: string, over: object = {}) {
  const server = await world.posthorn.smtpServers.create(
    { name, host: `${name}.example`, fromDomains: ["shop.example"], ...over },
    workspace.asOwner,
  );
  names.set(server.id, name);
  return server;
}
const send = (subject: string, over: object = {}) =>
  world.posthorn.emails.send(
    { subject, text: "x", from: "a@shop.example", to: ["ada@example.com"], ...over },
    { workspaceId: workspace.id },
  );
const get = (emailId: string) => world.posthorn.emails.get({ emailId }, { workspaceId: workspace.id });
const show = (smtpServerId: string) => world.posthorn.smtpServers.get({ smtpServerId }, workspace.asOwner);
const settings = (changes: object) => world.posthorn.settings.update(changes, workspace.asOwner);
const parked = async () =>
  (await world.storage.emailQueue.parked(world.clock.now())).map(({ route, reason }) => ({ route, reason }));
const rows = async (...servers: { id: string }[]) => {
  const all = await world.storage.smtpServers.list(workspace.id);
  return servers.map(({ id }) => all.find((one) => one.id === id)?.row ?? 0);
};
const told = async () => {
  const { items } = await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 99 });
  return items
    .filter(({ type }) => /^smtp_server\.(down|recovered)$/.test(type))
    .map(({ type }) => type)
    .reverse();
};

const held =
  (cause: MailHold["cause"], retryAfterMs = 1000): Answer =>
  (message) => ({
    ...answerAll("deferred", 421, "later")(message),
    held: { cause, reason: `${cause} for a reason`, retryAfterMs },
  });
const dead = held("unreachable");

/** Has a server fail with mail of its own till it is down. */
async function bringDown(name: string, send: () => Promise<unknown>): Promise<void> {
  answers[name] = dead;
  await send();
  for (let fault = 0; fault < 3; fault += 1) {
    await world.posthorn.drain();
    world.clock.advance(1000);
  }
}

describe("a mail", () => {
  test("goes through the server of its sender's domain, which its attempt and the server's counts tell", async () => {
    const relay = await add("relay", { returnPath: "bounces@shop.example" });
    answers["relay"] = (message) => {
      const { recipients } = acceptAll(message);
      return {
        recipients: recipients.map((one) => ({ ...one, reply: "250 Ok 0100018f-77" })),
        inDoubt: false,
      };
    };
    const { id } = await send("one");
    await send("other", { from: "a@other.example" });
    await world.posthorn.drain();
    expect(asked.sort()).toEqual(["platform other", "relay one"]);
    expect(await get(id)).toMatchObject({
      status: "sent",
      smtpServerId: undefined,
      attempts: [{ number: 1, smtpServerId: relay.id }],
      recipients: [{ remoteId: "0100018f-77" }],
    });
    expect(world.mailer.inbox.find({ subject: "one" })?.envelope.from).toBe("bounces@shop.example");
    expect(world.mailer.inbox.find({ subject: "other" })?.envelope.from).toBe("a@other.example");
    expect(await show(relay.id)).toMatchObject({ sent24h: 1, lastSuccessAt: world.clock.now(), state: "up" });
  });

  test("that names its server goes through no other", async () => {
    const [a, b] = [await add("a"), await add("b")];
    answers["b"] = dead;
    const { id, smtpServerId } = await send("pinned", { smtpServerId: b.id });
    expect(smtpServerId).toBe(b.id);
    await world.posthorn.drain();
    expect(asked).toEqual(["b pinned"]);
    expect((await get(id)).status).toBe("queued");
    await world.posthorn.smtpServers.delete({ smtpServerId: b.id }, workspace.asOwner);
    // Its server is gone: the choice runs again.
    await world.posthorn.drain();
    expect(asked).toEqual(["b pinned", "a pinned"]);
    expect(await get(id)).toMatchObject({ status: "sent", attempts: [{ number: 1, smtpServerId: a.id }] });
  });

  test("is refused where no server may carry it", async () => {
    const relay = await add("relay");
    await settings({ platformServer: false });
    const refusal = { code: "no_smtp_server" };
    await expect(send("x", { from: "a@other.example" })).rejects.toMatchObject(refusal);
    await expect(send("x", { smtpServerId: crypto.randomUUID() })).rejects.toMatchObject(refusal);
    await send("taken");
    await world.posthorn.smtpServers.update({ smtpServerId: relay.id, isActive: false }, workspace.asOwner);
    await expect(send("x", { smtpServerId: relay.id })).rejects.toMatchObject(refusal);
    await expect(send("x")).rejects.toMatchObject(refusal);
    await settings({ platformServer: true });
    await send("y");
  });

  test("whose servers are gone waits for one, and goes as soon as it is there", async () => {
    const relay = await add("relay");
    await settings({ platformServer: false });
    await send("waits");
    await world.posthorn.smtpServers.delete({ smtpServerId: relay.id }, workspace.asOwner);
    expect(await world.posthorn.drain()).toBe(1);
    expect(asked).toEqual([]);
    expect(await parked()).toMatchObject([
      { reason: expect.stringContaining("no mail server of the workspace") },
    ]);
    await add("another");
    await world.posthorn.drain();
    expect(asked).toEqual(["another waits"]);
  });

  test("waits on a route of the servers that may carry it", async () => {
    const routes = async () =>
      (await world.storage.emailQueue.routes(world.clock.now(), 9)).map(({ route }) => route).sort();
    await send("before");
    const [a, b] = [await add("a"), await add("b", { priority: 1 })];
    await send("both");
    await send("pinned", { smtpServerId: a.id });
    const [rowA = 0, rowB = 0] = await rows(a, b);
    expect(await routes()).toEqual(
      [
        serversRoute(workspace.id, [rowB, rowA]),
        serversRoute(workspace.id, [rowA]),
        workspaceRoute(workspace.id),
      ].sort(),
    );
  });
});

describe("another server", () => {
  test.each(["unreachable", "settings", "limited"] as const)(
    "takes a mail at once where the first takes none (%s): nothing is doubled, no attempt is lost",
    async (cause) => {
      await add("first", { priority: 1 });
      const second = await add("second");
      answers["first"] = held(cause);
      const { id } = await send("urgent");
      await world.posthorn.drain();
      expect(asked).toEqual(["first urgent", "second urgent"]);
      expect(await get(id)).toMatchObject({
        status: "sent",
        attempts: [{ number: 1, smtpServerId: second.id }],
      });
      expect(await parked()).toEqual([]);
    },
  );

  const verdicts: [string, Answer][] = [
    ["refuses the recipient", answerAll("refused", 550, "550 5.1.1 no such user")],
    ["puts off the recipient", answerAll("deferred", 450, "450 4.2.0 greylisted")],
    ["refuses the content", answerAll("refused", 554, "554 5.7.1 spam")],
    ["is in doubt", (message) => ({ ...answerAll("deferred", 0, "no answer")(message), inDoubt: true })],
  ];
  test.each(verdicts)("is never tried where the first %s", async (_, answer) => {
    await add("first", { priority: 1 });
    await add("second");
    answers["first"] = answer;
    await send("one");
    await world.posthorn.drain();
    expect(asked).toEqual(["first one"]);
  });

  test.each(["exhausted", "closed"] as const)(
    "helps nothing where this process is at fault (%s), and no server is marked",
    async (cause) => {
      const first = await add("first", { priority: 1 });
      await add("second");
      answers["first"] = held(cause);
      await send("one");
      for (let n = 0; n < 4; n += 1) {
        await world.posthorn.drain();
        world.clock.advance(minute);
      }
      expect(asked).not.toContain("second one");
      expect(await show(first.id)).toMatchObject({ state: "up" });
    },
  );

  test("that does not take the sender's domain is left out, unless our signature vouches for it", async () => {
    await add("first");
    answers["first"] = dead;
    await send("one");
    await world.posthorn.drain();
    expect(asked).toEqual(["first one"]);
    world.mailer.signs = (domain) => domain === "shop.example";
    world.clock.advance(1000);
    await world.posthorn.drain();
    expect(asked).toEqual(["first one", "first one", "platform one"]);
    expect(world.mailer.inbox.all()).toHaveLength(1);
  });

  test("is not given what the first leaves of a mail that it took for some", async () => {
    await add("first", { priority: 1 });
    await add("second");
    answers["first"] = ({ envelope: { to } }) => ({
      recipients: to.map((address, index) => ({
        address,
        outcome: index === 0 ? "accepted" : "deferred",
        code: index === 0 ? 250 : 451,
        reply: "",
      })),
      inDoubt: false,
    });
    await send("two", { to: ["a@example.com", "b@example.com"] });
    await world.posthorn.drain();
    expect(asked).toEqual(["first two"]);
  });
});

test("a sender that the account may not send as costs no mail its life, and marks the server", async () => {
  const relay = await add("relay");
  const bar = answerAll("deferred", 553, "553 5.7.1 not owned by user");
  answers["relay"] = (message) => (message.subject === "barred" ? bar(message) : acceptAll(message));
  const { id } = await send("barred");
  await send("free");
  await world.posthorn.drain();
  expect(await get(id)).toMatchObject({ status: "queued", attempts: [{ outcome: "deferred" }] });
  expect(world.mailer.inbox.all().map(({ subject }) => subject)).toEqual(["free"]);
  expect(await show(relay.id)).toMatchObject({ state: "limited", lastError: "553 5.7.1 not owned by user" });
  answers["relay"] = acceptAll;
  world.clock.advance(2 * minute);
  await world.posthorn.drain();
  expect(await get(id)).toMatchObject({ status: "sent" });
  expect(await show(relay.id)).toMatchObject({ state: "up" });
});

describe("patience with a server that says nothing", () => {
  let patience: [string, number | undefined][];
  beforeEach(async () => {
    patience = [];
    await settings({ platformServer: false });
    world.mailer.answerWith((message) => {
      const name = names.get(message.server?.id ?? "") ?? "?";
      patience.push([name, message.server?.patienceMs]);
      return (answers[name] ?? acceptAll)(message);
    });
  });

  test("is short while another may take the mail, and the last has all its time", async () => {
    await add("a");
    await add("b");
    answers["a"] = dead;
    await send("goes on");
    await world.posthorn.drain();
    expect(patience).toEqual([
      ["a", 3000],
      ["b", undefined],
    ]);
  });

  test("is long where the others are known to be down, and for a mail that names its server", async () => {
    const [a, b] = [await add("a"), await add("b")];
    await bringDown("b", () => send("tries", { smtpServerId: b.id }));
    patience = [];
    await send("alone");
    await world.posthorn.drain();
    answers["b"] = acceptAll;
    await send("pinned", { smtpServerId: a.id });
    await world.posthorn.drain();
    expect(patience.filter(([name]) => name === "a")).toEqual([
      ["a", undefined],
      ["a", undefined],
    ]);
  });
});

describe("a server that fails thrice in a row", () => {
  test("is down for 30 s, for all routes, and once told of: to the log, and to webhooks", async () => {
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
    // Those under way together count once.
    expect(await show(first.id)).toMatchObject({
      state: "down",
      downUntil: world.clock.now() - 1000 + 30_000,
      lastError: "unreachable for a reason",
    });
    asked = [];
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

  test("is tried by one mail when its time is over, and used again once that got through", async () => {
    const first = await add("first", { priority: 1 });
    await add("second");
    await bringDown("first", async () => {
      await send("one", { smtpServerId: first.id });
    });
    expect((await show(first.id)).state).toBe("down");
    let [under, most] = [0, 0];
    world.mailer.answerWith(async (message) => {
      const name = names.get(message.server?.id ?? "") ?? "platform";
      if (name === "first" && (await show(first.id)).state === "down") {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setTimeout(resolve, 20));
        under -= 1;
      }
      return acceptAll(message);
    });
    world.clock.advance(30_000);
    await Promise.all(["a", "b", "c", "d", "e"].map((subject) => send(subject)));
    await world.posthorn.drain();
    // What could go nowhere else while another mail tried the server goes a second later.
    world.clock.advance(1000);
    await world.posthorn.drain();
    expect(most).toBe(1);
    expect(world.mailer.inbox.all()).toHaveLength(6);
    expect(await show(first.id)).toMatchObject({ state: "up", downUntil: undefined });
    expect(await told()).toEqual(["smtp_server.down", "smtp_server.recovered"]);
  });

  test("is left alone twice as long each time, ten minutes at most; its owner is told after 15 minutes, once", async () => {
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
    const mails = world.mailer.inbox.all().filter(({ subject }) => /takes no mail/.test(subject));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("unreachable for a reason");
  });

  test("costs its mails no attempt, and holds up no mail that another may carry", async () => {
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

  test("goes on at once when it is changed", async () => {
    const first = await add("first", { username: "ann", password: "wrong" });
    // A login that is refused is not tried thrice: accounts are locked for less.
    answers["first"] = held("settings");
    await send("one");
    await world.posthorn.drain();
    expect(await show(first.id)).toMatchObject({ state: "down", lastError: "settings for a reason" });
    expect(await world.posthorn.drain()).toBe(0);
    answers["first"] = acceptAll;
    await world.posthorn.smtpServers.update({ smtpServerId: first.id, password: "right" }, workspace.asOwner);
    await world.posthorn.drain();
    expect(asked).toEqual(["first one", "first one"]);
    expect(await show(first.id)).toMatchObject({ state: "up", lastError: undefined });
    expect(world.mailer.inbox.all()[0]?.server).toMatchObject({ version: 2, password: "right" });
  });
});

describe("the pace", () => {
  test("that was chosen is kept, whatever waits: what has no time yet holds no place, in its order", async () => {
    const slow = await add("slow", { maxPerSecond: 0.25 });
    await add("other");
    for (const subject of ["1", "2", "3"]) await send(subject, { smtpServerId: slow.id });
    await world.posthorn.drain();
    expect(asked).toEqual(["slow 1"]);
    expect(await world.posthorn.queueStatus()).toMatchObject({ leased: 0, due: 2 });
    expect(await parked()).toEqual([
      {
        route: serversRoute(workspace.id, await rows(slow)),
        reason: "limited: the server is given no more than 0.25 a second",
      },
    ]);
    for (const [ms, ...expected] of [[2999], [1001, "slow 2"], [2999], [1001, "slow 3"]] as const) {
      asked = [];
      world.clock.advance(ms);
      await world.posthorn.drain();
      expect(asked).toEqual(expected);
    }
    expect(await show(slow.id)).toMatchObject({ state: "up" });
  });

  test("is no fault: no other server takes what waits for it", async () => {
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
    await operations.listWorkers(0);
    world.clock.advance(1000);
  }
  // The first counts nobody yet; then seven are shared by three.
  expect(connections).toEqual([7, 2]);
});
