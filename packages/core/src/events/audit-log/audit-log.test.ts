import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type World } from "../../testing/index.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
});
afterEach(() => world.close());

describe("the workspace's audit log", () => {
  test("lists that workspace's events only, newest first, paged from 0", async () => {
    const [here, there] = [await world.addWorkspace(), await world.addWorkspace()];
    await world.posthorn.settings.update({ timezone: "Asia/Tokyo" }, there.asOwner);
    for (const webhookRetryCount of [1, 2, 4])
      await world.posthorn.settings.update(
        { webhookRetryCount },
        { ...here.asOwner, client: { ip: "192.0.2.9" } },
      );
    const page = (input: object) => world.posthorn.auditLog.listForWorkspace(input, here.asOwner);
    const first = await page({ size: 2 });
    expect(first).toMatchObject({ page: 0, size: 2, total: 4 });
    expect(first.items[0]).toEqual({
      id: expect.any(Number),
      category: "audit",
      type: "settings.updated",
      workspaceId: here.id,
      userId: undefined,
      actorId: here.owner.userId,
      actorName: here.owner.name,
      clientIp: "192.0.2.9",
      message: `${here.owner.name} changed the settings`,
      metadata: { changes: { webhook_retry_count: { from: 2, to: 4 } } },
      createdAt: world.clock.now(),
    });
    const second = await page({ page: 1, size: 2 });
    expect(second.items.map(({ type }) => type)).toEqual(["settings.updated", "workspace.created"]);
  });

  test("lists the category audit, or that of the workspace's campaigns; e-mails tell of their own events", async () => {
    const [workspace, other] = [await world.addWorkspace(), await world.addWorkspace()];
    const page = (input: object) => world.posthorn.auditLog.listForWorkspace(input, workspace.asOwner);
    const campaign = { name: "Spring", subject: "Hi", text: "It is spring" };
    const { id: campaignId } = await world.posthorn.campaigns.create(campaign, workspace.asOwner);
    await world.posthorn.campaigns.create(campaign, other.asOwner);
    await world.posthorn.campaigns.delete({ campaignId }, workspace.asOwner);
    await world.posthorn.emails.send(
      { from: "shop@shop.example", to: ["ada@example.com"], subject: "Hi", text: "You" },
      { workspaceId: workspace.id },
    );
    for (const input of [{}, { category: "audit" }])
      expect((await page(input)).items.map(({ type }) => type)).toEqual(["workspace.created"]);
    const { items } = await page({ category: "campaign" });
    expect(items.map(({ type, actorName }) => [type, actorName])).toEqual([
      ["campaign.deleted", workspace.owner.name],
      ["campaign.created", workspace.owner.name],
    ]);
    expect(await page({ category: "email" })).toMatchObject({ items: [], total: 0 });
    for (const input of [{ category: "gossip" }, { size: 0 }, { size: 101 }, { page: -1 }])
      await expect(page(input)).rejects.toMatchObject({ code: "validation_failed" });
  });

  test.each(["admin", "editor", "viewer"] as const)(
    "is readable by owners and admins only: %s",
    async (role) => {
      const workspace = await world.addWorkspace();
      const member = workspace.as(await workspace.addMember(role));
      const read = world.posthorn.auditLog.listForWorkspace({}, member);
      if (role === "admin") await expect(read).resolves.toBeDefined();
      else await expect(read).rejects.toMatchObject({ code: "forbidden" });
    },
  );
});

test("the personal log lists the caller's own security events, including failed logins", async () => {
  const password = "the engine weaves algebra";
  const { id } = await world.posthorn.users.create({ name: "Ada", email: "ada@example.com", password });
  await world.posthorn.accounts.login({ email: "ada@example.com", password });
  await expect(
    world.posthorn.accounts.login({ email: "ada@example.com", password: "wrong" }),
  ).rejects.toMatchObject({ code: "invalid_credentials" });
  const as = await world.posthorn.findUser(id);
  if (as === undefined) throw new Error("the user is gone");
  await world.addWorkspace({ owner: as });
  const mine = await world.posthorn.auditLog.listMine({}, { as });
  expect(mine.items.map(({ type, category }) => `${category} ${type}`)).toEqual([
    "audit user.login_failed",
    "audit user.login",
    "audit user.created",
  ]);
  const others = await world.posthorn.auditLog.listMine({}, { as: await world.addUser() });
  expect(others.total).toBe(0);
});

describe("the platform's events", () => {
  test("are all visible to administrators, by category, type, workspace and time", async () => {
    const as = await world.addUser({ admin: true });
    const workspace = await world.addWorkspace();
    world.clock.advance(1000);
    await world.posthorn.settings.update({ timezone: "Asia/Tokyo" }, workspace.asOwner);
    await world.posthorn.accounts.register({
      name: "Ada",
      email: "ada@example.com",
      password: "the engine weaves algebra",
    });
    const types = async (input: object) =>
      (await world.posthorn.events.list(input, { as })).items.map(({ type }) => type);
    expect(await types({})).toEqual(["user.registered", "settings.updated", "workspace.created"]);
    expect(await types({ category: "email" })).toEqual([]);
    expect(await types({ type: "settings.updated" })).toEqual(["settings.updated"]);
    expect(await types({ workspaceId: workspace.id })).toEqual(["settings.updated", "workspace.created"]);
    const since = new Date(world.clock.now()).toISOString();
    expect(await types({ since })).toEqual(["user.registered", "settings.updated"]);
    await expect(world.posthorn.events.list({}, workspace.asOwner)).rejects.toMatchObject({
      code: "administrator_required",
    });
  });
});
