import { beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
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
import { acceptAll, answerAll } from "../../../testing/index.ts";
import { serversRoute, workspaceRoute } from "../../rules/routes.ts";

openServersForEach();

const settings = (changes: object) => world.posthorn.settings.update(changes, workspace.asOwner);

describe("an e-mail", () => {
  test("is sent through the server of its sender's domain, which its attempt and the server's counts record", async () => {
    const relay = await add("relay", { returnPath: "bounces@shop.example" });
    const named = (reply: string) => (message: Parameters<typeof acceptAll>[0]) => ({
      recipients: acceptAll(message).recipients.map((one) => ({ ...one, reply })),
      inDoubt: false,
    });
    answers["relay"] = named("250 Ok 0100018f-77");
    answers["platform"] = named("250 2.0.0 Ok: queued as 4WxYz");
    const { id } = await send("one");
    const other = await send("other", { from: "a@other.example" });
    await world.posthorn.drain();
    expect(asked.sort()).toEqual(["platform other", "relay one"]);
    expect(await get(id)).toMatchObject({
      status: "sent",
      smtpServerId: undefined,
      attempts: [{ number: 1, smtpServerId: relay.id }],
      recipients: [{ remoteId: "0100018f-77" }],
    });
    expect(await get(other.id)).toMatchObject({ recipients: [{ remoteId: "4WxYz" }] });
    expect(world.mailer.inbox.find({ subject: "one" })?.envelope.from).toBe("bounces@shop.example");
    expect(world.mailer.inbox.find({ subject: "other" })?.envelope.from).toBe("a@other.example");
    expect(await show(relay.id)).toMatchObject({ sent24h: 1, lastSuccessAt: world.clock.now(), state: "up" });
  });

  test("has the next server's envelope sender, and not that of the one that accepted nothing", async () => {
    await add("relay", { returnPath: "bounces@shop.example", priority: 1 });
    await add("spare");
    answers["relay"] = dead;
    await send("one");
    await world.posthorn.drain();
    expect(asked).toEqual(["relay one", "spare one"]);
    expect(world.mailer.inbox.find({ subject: "one" })?.envelope.from).toBe("a@shop.example");
  });

  test("is sent through a host's mailer that answers without a promise", async () => {
    await add("relay");
    Object.assign(world.mailer, { send: acceptAll });
    const { id } = await send("other", { from: "a@other.example" });
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({ status: "sent" });
  });

  test("that names its server is sent through no other", async () => {
    const [a, b] = [await add("a"), await add("b")];
    answers["b"] = dead;
    const { id, smtpServerId } = await send("pinned", { smtpServerId: b.id });
    expect(smtpServerId).toBe(b.id);
    await world.posthorn.drain();
    expect(asked).toEqual(["b pinned"]);
    expect((await get(id)).status).toBe("queued");
    await world.posthorn.smtpServers.delete({ smtpServerId: b.id }, workspace.asOwner);
    // Its server is gone, so another one is chosen.
    await world.posthorn.drain();
    expect(asked).toEqual(["b pinned", "a pinned"]);
    expect(await get(id)).toMatchObject({ status: "sent", attempts: [{ number: 1, smtpServerId: a.id }] });
  });

  test("is refused if no server may send it", async () => {
    const relay = await add("relay");
    await settings({ platformServer: false });
    const refusal = { code: "no_smtp_server" };
    await expect(send("x", { from: "a@other.example" })).rejects.toMatchObject(refusal);
    await expect(send("x", { smtpServerId: crypto.randomUUID() })).rejects.toMatchObject(refusal);
    await send("taken");
    await world.posthorn.smtpServers.update({ smtpServerId: relay.id, isActive: false }, workspace.asOwner);
    await expect(send("x", { smtpServerId: relay.id })).rejects.toMatchObject(refusal);
    await expect(send("x")).rejects.toMatchObject(refusal);
    const { campaigns } = world.posthorn;
    const { id: campaignId } = await campaigns.create(
      { name: "x", subject: "x", text: "x" },
      workspace.asOwner,
    );
    await expect(
      campaigns.test({ campaignId, to: "a@example.com" }, workspace.asOwner),
    ).rejects.toMatchObject(refusal);
    await settings({ platformServer: true });
    await send("y");
  });

  test("whose servers are deleted waits for one, and is sent as soon as there is one", async () => {
    const relay = await add("relay");
    await settings({ platformServer: false });
    await send("waits");
    await world.posthorn.smtpServers.delete({ smtpServerId: relay.id }, workspace.asOwner);
    expect(await world.posthorn.drain()).toBe(1);
    expect(asked).toEqual([]);
    expect(await parked()).toMatchObject([
      { reason: expect.stringContaining("no mail server of the workspace") },
    ]);
    const another = await add("another");
    await world.posthorn.drain();
    expect(asked).toEqual(["another waits"]);
    asked.length = 0;
    await send("waits, too");
    await world.posthorn.smtpServers.delete({ smtpServerId: another.id }, workspace.asOwner);
    await world.posthorn.drain();
    await settings({ platformServer: true });
    await world.posthorn.drain();
    expect(asked).toEqual(["platform waits, too"]);
  });

  test("waits on a route of the servers that may send it", async () => {
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
    "is given an e-mail at once if the first accepts none (%s): nothing is sent twice, no attempt is lost",
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
    ["defers the recipient", answerAll("deferred", 450, "450 4.2.0 greylisted")],
    ["refuses the content", answerAll("refused", 554, "554 5.7.1 spam")],
    ["is in doubt", (message) => ({ ...answerAll("deferred", 0, "no answer")(message), inDoubt: true })],
  ];
  test.each(verdicts)("is never tried if the first %s", async (_, answer) => {
    await add("first", { priority: 1 });
    await add("second");
    answers["first"] = answer;
    await send("one");
    await world.posthorn.drain();
    expect(asked).toEqual(["first one"]);
  });

  test.each(["exhausted", "closed"] as const)(
    "is not tried if this process is at fault (%s), and no server is marked",
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

  test("that does not accept the sender's domain is skipped, unless the e-mail is signed by us", async () => {
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

  test("is not tried for the rest of an e-mail that the first accepted for some recipients", async () => {
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

test("a sender that the account may not use fails no e-mail, and marks the server", async () => {
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

test.each([
  ["550 5.1.2 <a@example.com>: no such domain", { state: "up", lastError: undefined }],
  [
    "554 5.7.1 <a@example.com>: Relay access denied",
    { state: "limited", lastError: "554 5.7.1 <…>: Relay access denied" },
  ],
])(
  "a refusal fails the e-mail, and marks the server if its settings are at fault: %s",
  async (reply, shown) => {
    const relay = await add("relay");
    answers["relay"] = answerAll("refused", Number(reply.slice(0, 3)), reply);
    const { id } = await send("one", { to: ["a@example.com"] });
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({ status: "failed" });
    expect(await show(relay.id)).toMatchObject(shown);
  },
);

describe("the time-out of a silent server", () => {
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

  test("is short while another may send the e-mail, and the last one has its full time-out", async () => {
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

  test("is long if the others are known to be down, and for an e-mail that names its server", async () => {
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
