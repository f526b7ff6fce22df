import { describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";
import type { SmtpServerAddress } from "../../ports/mailer.ts";
import type { ServerProbe } from "../../ports/server-probe.ts";
import { createWorld, type World } from "../../testing/index.ts";

openWorldForEach();

type Given = Parameters<World["posthorn"]["smtpServers"]["create"]>[0];
const create = (over: Partial<Given> = {}, as = workspace.asOwner) =>
  world.posthorn.smtpServers.create({ name: "relay", host: "smtp.relay.example", ...over }, as);
const update = (smtpServerId: string, changes: object) =>
  world.posthorn.smtpServers.update({ smtpServerId, ...changes }, workspace.asOwner);
const login = { username: "ann", password: "sesame" };
const audit = async () => {
  const { items } = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
  return items.filter(({ type }) => type.startsWith("smtp_server."));
};
const stored = () => world.storage.smtpServers.list(workspace.id);

/** Records which servers were probed, and with which input. */
function watchProbes(answer: Partial<ServerProbe> = {}): SmtpServerAddress[] {
  const tried: SmtpServerAddress[] = [];
  world.mailer.probe = async (server) => {
    tried.push(server);
    return { ok: true, steps: [], extensions: [], maxSize: undefined, ...answer };
  };
  return tried;
}

describe("a mail server", () => {
  test("has defaults, and is returned without its password", async () => {
    const server = await create(login);
    expect(server).toEqual({
      id: server.id,
      name: "relay",
      host: "smtp.relay.example",
      port: 587,
      security: "starttls",
      username: "ann",
      hasPassword: true,
      fromDomains: [],
      isDefault: false,
      isActive: true,
      priority: 50,
      maxConnections: 3,
      maxPerSecond: undefined,
      maxPerHour: undefined,
      returnPath: "sender",
      state: "up",
      downUntil: undefined,
      lastError: undefined,
      lastErrorAt: undefined,
      lastSuccessAt: undefined,
      sent24h: 0,
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(await world.posthorn.smtpServers.get({ smtpServerId: server.id }, workspace.asOwner)).toEqual(
      server,
    );
    expect((await world.posthorn.smtpServers.list({}, workspace.asOwner)).items).toEqual([server]);
    expect((await create({ name: "b", security: "tls" })).port).toBe(465);
  });

  test("stores its password encrypted, and bound to its row", async () => {
    await create(login);
    const [row] = await stored();
    expect(row?.password).not.toContain("sesame");
    expect(JSON.stringify(await audit())).not.toContain("sesame");
  });

  test("is refused if it leads to a private network, is unusable, or would send a password in cleartext", async () => {
    const cases: [Partial<Given>, string][] = [
      [{ host: "127.0.0.1" }, "host: must be a public address, unless the service has webhooks.allowPrivate"],
      [{ host: "[::1]" }, "host: must be a public address"],
      [{ host: "relay.internal" }, "host: must lead to a public host"],
      [
        { host: "localhost" },
        "host: must lead to a public host, unless the service has webhooks.allowPrivate",
      ],
      [{ host: "a b" }, "host: is neither a host name nor an IP address"],
      [{ port: 6379 }, "port: must be one of 25, 465, 587, 2525"],
      [{ username: "ann" }, "password: must be given with a user name"],
      [{ password: "sesame" }, "username: must be given with a password"],
      [{ ...login, security: "none" }, "security: must not be none with a login"],
      [{ fromDomains: ["shop"] }, 'fromDomains.0: is not a domain such as "shop.example"'],
      [{ returnPath: "verp" }, "returnPath: can't be verp: no sending domain of the workspace"],
      [{ returnPath: "x" }, 'returnPath: is neither "sender" nor "verp" nor an e-mail address'],
      [{ maxPerSecond: 0.001 }, "maxPerSecond: must be 0.01 to 1000"],
    ];
    for (const [over, words] of cases) await expect(create(over), words).rejects.toThrow(words);
    expect(await stored()).toEqual([]);
  });

  test("may have any host and port, and no TLS, if private networks are allowed", async () => {
    const own = await createWorld(await openTestSqlite(), {
      webhooks: { allowPrivate: true },
    });
    const { asOwner } = await own.addWorkspace();
    const given = { name: "mailhog", host: "mailhog", port: 1025, security: "none", ...login } as const;
    expect(await own.posthorn.smtpServers.create(given, asOwner)).toMatchObject({ host: "mailhog" });
    await own.close();
  });

  test("has a unique name in the workspace", async () => {
    const { id } = await create();
    await expect(create()).rejects.toMatchObject({ code: "smtp_server_name_taken" });
    await create({ name: "other" });
    await expect(update(id, { name: "other" })).rejects.toMatchObject({ code: "smtp_server_name_taken" });
  });

  test("counts against the plan's limit, exactly, also for concurrent calls", async () => {
    const plan = await world.posthorn.plans.create({ name: "Two", maxSmtpServers: 2, isDefault: true });
    const made = await Promise.allSettled(["a", "b", "c", "d"].map((name) => create({ name })));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    const refused = made.find((one) => one.status === "rejected");
    expect(refused?.reason).toMatchObject({
      code: "plan_limit_reached",
      details: { limit: "max_smtp_servers", value: 2, used: 2 },
    });
    await world.posthorn.plans.update({ planId: plan.id, maxSmtpServers: 0 });
    for (let n = 2; n < 20; n += 1) await create({ name: String(n) });
    await expect(create({ name: "one too many" })).rejects.toMatchObject({ code: "plan_limit_reached" });
  });

  test("can be changed by managers and read by all; its replies are for managers", async () => {
    const [admin, editor] = [await workspace.addMember("admin"), await workspace.addMember("editor")];
    await create({}, workspace.as(admin));
    await expect(create({ name: "b" }, workspace.as(editor))).rejects.toMatchObject({ code: "forbidden" });
    const [row] = await stored();
    const health = {
      state: "limited",
      lastError: "421 hostile words",
      lastErrorAt: 1,
      downTimes: 0,
    } as const;
    await world.storage.smtpServers.changeHealth(row?.row ?? 0, 1, {
      ...health,
      downUntil: undefined,
      trialUntil: undefined,
      downSince: undefined,
      toldAt: undefined,
    });
    const list = async (as = workspace.asOwner) => (await world.posthorn.smtpServers.list({}, as)).items[0];
    expect(await list()).toMatchObject({ state: "limited", lastError: "421 hostile words" });
    expect((await list(workspace.as(editor)))?.lastError).toBeUndefined();
  });
});

describe("a change", () => {
  test("records what changed, and of a password only that it did", async () => {
    const { id } = await create(login);
    await update(id, { password: "open", maxPerSecond: 5, fromDomains: ["Shop.example"], port: 2525 });
    const [event] = await audit();
    expect(event?.metadata).toEqual({
      smtpServerId: id,
      name: "relay",
      changes: {
        port: { from: 587, to: 2525 },
        max_per_second: { from: null, to: 5 },
        from_domains: { from: [], to: ["shop.example"] },
        password: { from: "set", to: "set" },
      },
    });
    await update(id, { port: 2525 });
    expect(await audit()).toHaveLength(2);
    expect(await update(id, { maxPerSecond: null, username: "" })).toMatchObject({
      maxPerSecond: undefined,
      username: "",
      hasPassword: false,
    });
    await update(id, { password: "" });
    expect(await audit()).toHaveLength(3);
  });

  test("of the password's destination requires the password again, so that nobody can learn it", async () => {
    const { id } = await create(login);
    for (const change of [{ host: "evil.example" }, { port: 25 }, { username: "eve" }])
      await expect(update(id, change)).rejects.toThrow("password: must be given again");
    await update(id, { host: "new.relay.example", password: "sesame" });
    expect(await update(id, { priority: 1 })).toMatchObject({ host: "new.relay.example", hasPassword: true });
  });

  test("increments the version, so that connections with former settings are closed", async () => {
    const { id } = await create(login);
    await update(id, { password: "a" });
    await update(id, { password: "b" });
    expect((await stored())[0]?.version).toBe(3);
  });
});

test("each write has one event, and a deleted server is not found", async () => {
  const { id } = await create();
  await update(id, { isActive: false });
  watchProbes();
  await world.posthorn.smtpServers.test({ smtpServerId: id }, workspace.asOwner);
  await world.posthorn.smtpServers.delete({ smtpServerId: id }, workspace.asOwner);
  expect((await audit()).map(({ type }) => type)).toEqual([
    "smtp_server.deleted",
    "smtp_server.tested",
    "smtp_server.updated",
    "smtp_server.created",
  ]);
  const call = { smtpServerId: id };
  for (const work of [
    () => world.posthorn.smtpServers.delete(call, workspace.asOwner),
    () => world.posthorn.smtpServers.get(call, workspace.asOwner),
    () => world.posthorn.smtpServers.test(call, workspace.asOwner),
    () => update(id, { priority: 1 }),
  ])
    await expect(work()).rejects.toMatchObject({ code: "not_found" });
});

describe("a test", () => {
  test("decrypts the password for the mailer only, and is limited to 10 a minute", async () => {
    const { id } = await create(login);
    const tried = watchProbes({ ok: false, steps: [{ step: "auth", ms: 1, error: "no" }] });
    const test = () =>
      world.posthorn.smtpServers.test({ smtpServerId: id, from: "a@b.example" }, workspace.asOwner);
    expect(await test()).toMatchObject({ ok: false });
    expect(tried[0]).toMatchObject({ id, version: 1, host: "smtp.relay.example", ...login });
    for (let n = 1; n < 10; n += 1) await test();
    await expect(test()).rejects.toMatchObject({ code: "rate_limited" });
    expect(tried).toHaveLength(10);
  });

  test("asks for a login alone in a workspace that nobody vouches for", async () => {
    const { id } = await create(login);
    const tried = watchProbes();
    const test = () => world.posthorn.smtpServers.test({ smtpServerId: id }, workspace.asOwner);
    await test();
    await world.posthorn.workspaces.distrust({ workspaceId: workspace.id });
    await test();
    expect(tried.map(({ needsLogin }) => needsLogin)).toEqual([undefined, true]);
  });

  test("asks about the given sender, else the server's return path, or the workspace's sender if it may go through the server", async () => {
    const { id: smtpServerId } = await create();
    const asked: (string | undefined)[] = [];
    world.mailer.probe = async (_, { from } = {}) => {
      asked.push(from);
      return { ok: true, steps: [], extensions: [], maxSize: undefined };
    };
    const test = (from?: string) =>
      world.posthorn.smtpServers.test({ smtpServerId, ...(from && { from }) }, workspace.asOwner);
    await test();
    await world.posthorn.settings.update({ defaultSenderEmail: "news@shop.example" }, workspace.asOwner);
    await test();
    await test("ada@else.example");
    await update(smtpServerId, { fromDomains: ["else.example"] });
    await test();
    await update(smtpServerId, { isDefault: true });
    await test();
    await update(smtpServerId, { isDefault: false });
    await world.posthorn.settings.update({ defaultSenderEmail: "News@Else.Example" }, workspace.asOwner);
    await test();
    // As deliveries do, whoever the sender is.
    await update(smtpServerId, { returnPath: "bounces@relay.example" });
    await test();
    expect(asked).toEqual([
      undefined,
      "news@shop.example",
      "ada@else.example",
      undefined,
      "news@shop.example",
      "News@Else.Example",
      "bounces@relay.example",
    ]);
  });

  test("that succeeds lets the next e-mail try a server that was down", async () => {
    const { id } = await create();
    const [row] = await stored();
    if (row === undefined) throw new Error("no server");
    const downUntil = world.clock.now() + 600_000;
    const trialUntil = world.clock.now() + 60_000;
    const health = { ...row.health, state: "down", downUntil, trialUntil, downTimes: 9 } as const;
    await world.storage.smtpServers.changeHealth(row.row, 1, health);
    watchProbes();
    await world.posthorn.smtpServers.test({ smtpServerId: id }, workspace.asOwner);
    expect((await stored())[0]?.health).toEqual({
      ...health,
      downUntil: world.clock.now(),
      trialUntil: undefined,
    });
  });

  test("says so if the installation's mailer does not support servers", async () => {
    const { id } = await create();
    const probe = await world.posthorn.smtpServers.test({ smtpServerId: id }, workspace.asOwner);
    expect(probe).toMatchObject({ ok: false, steps: [{ step: "connect" }] });
  });
});
