import { describe, expect, test } from "vitest";
import { codesOf, day, openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";
import { digest } from "../../rules/tokens.ts";

openWorldForEach();

const create = (input: { name?: string; expiresInDays?: number } = {}, as = workspace.asOwner) =>
  world.posthorn.apiKeys.create({ name: "shop", ...input }, as);

async function limitKeys(maxApiKeys: number): Promise<void> {
  const plan = await world.posthorn.plans.create({ name: "Small", maxApiKeys });
  await world.storage.workspaces.update(workspace.id, { planId: plan.id, updatedAt: world.clock.now() });
}

const eventsOf = async () =>
  (await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 50 })).items.filter(
    ({ type }) => type.startsWith("apikey."),
  );

describe("creating a key", () => {
  test("returns it once, stores only its digest, and records one event without it", async () => {
    const made = await create({ name: "Web shop" });
    expect(made).toEqual({
      id: expect.any(String),
      name: "Web shop",
      key: expect.stringMatching(/^sk_[0-9A-Za-z]{40}$/),
      prefix: made.key.slice(0, 8),
      createdBy: workspace.owner.userId,
      createdAt: world.clock.now(),
      expiresAt: world.clock.now() + 90 * day,
      lastUsedAt: undefined,
    });
    const { key, ...shown } = made;
    expect((await world.posthorn.apiKeys.list({}, workspace.asOwner)).items).toEqual([shown]);
    expect(await world.posthorn.apiKeys.list({ size: 1, page: 1 }, workspace.asOwner)).toMatchObject({
      items: [],
      total: 1,
    });
    const [stored] = await world.storage.apiKeys.findByDigests([digest(key)]);
    expect(stored?.id).toBe(made.id);
    expect(JSON.stringify(stored)).not.toContain(key);
    const events = await eventsOf();
    expect(events.map(({ type, metadata }) => [type, JSON.parse(metadata)])).toEqual([
      [
        "apikey.created",
        {
          api_key_id: made.id,
          name: "Web shop",
          prefix: made.prefix,
          expires_at: new Date(world.clock.now() + 90 * day).toISOString(),
        },
      ],
    ]);
    expect(JSON.stringify(events)).not.toContain(key);
    expect(await world.posthorn.authenticateApiKey(key)).toMatchObject({
      kind: "api_key",
      apiKeyId: made.id,
      workspaceId: workspace.id,
    });
  });

  test("takes its lifetime from the call, else from the settings; 0 means it never expires", async () => {
    expect((await create({ expiresInDays: 1 })).expiresAt).toBe(world.clock.now() + day);
    expect((await create({ expiresInDays: 0 })).expiresAt).toBeUndefined();
    await world.posthorn.settings.update({ apiKeyExpiryDays: 7 }, workspace.asOwner);
    expect((await create()).expiresAt).toBe(world.clock.now() + 7 * day);
    await world.posthorn.settings.update({ apiKeyExpiryDays: 0 }, workspace.asOwner);
    const never = await create();
    expect(never.expiresAt).toBeUndefined();
    world.clock.advance(4000 * day);
    expect(await world.posthorn.authenticateApiKey(never.key)).toBeDefined();
  });

  test("is for managers; everyone reads the list", async () => {
    const admin = await workspace.addMember("admin");
    const editor = await workspace.addMember("editor");
    const viewer = await workspace.addMember("viewer");
    const { id } = await create({}, workspace.as(admin));
    const codes = await codesOf([
      create({}, workspace.as(editor)),
      world.posthorn.apiKeys.revoke({ apiKeyId: id }, workspace.as(editor)),
      world.posthorn.apiKeys.list({}, workspace.as(viewer)),
    ]);
    expect(codes).toEqual(["forbidden", "forbidden", "ok"]);
  });

  test.each([
    { name: "" },
    { name: "x".repeat(101) },
    { expiresInDays: -1 },
    { expiresInDays: 1.5 },
    { expiresInDays: 3651 },
  ])("refuses %j", async (input) => {
    await expect(create(input)).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("is limited by the plan, exactly, also when many are created at once", async () => {
    await limitKeys(3);
    const codes = await codesOf(Array.from({ length: 20 }, () => create()));
    expect(codes.filter((code) => code === "ok")).toHaveLength(3);
    expect(codes.filter((code) => code === "plan_limit_reached")).toHaveLength(17);
    await expect(create()).rejects.toMatchObject({ details: { limit: "max_api_keys", value: 3, used: 3 } });
    const other = await world.addWorkspace();
    await create({}, other.asOwner);
  });

  test("revoked and expired keys don't count against the limit", async () => {
    await limitKeys(1);
    const first = await create({ expiresInDays: 1 });
    expect(await codesOf([create()])).toEqual(["plan_limit_reached"]);
    world.clock.advance(day);
    const second = await create();
    await world.posthorn.apiKeys.revoke({ apiKeyId: second.id }, workspace.asOwner);
    await create();
    await expect(world.posthorn.authenticateApiKey(first.key)).rejects.toMatchObject({
      code: "api_key_expired",
      message: expect.stringContaining(new Date(first.expiresAt ?? 0).toISOString()),
    });
  });
});

describe("a key that expires soon", () => {
  const tell = () => world.posthorn.announceExpiringKeys();

  test("is reported once, 14 days before, by an event and an e-mail to the owner", async () => {
    const made = await create({ name: "Web shop" });
    await create({ name: "for ever", expiresInDays: 0 });
    const gone = await create({ name: "revoked" });
    await world.posthorn.apiKeys.revoke({ apiKeyId: gone.id }, workspace.asOwner);
    world.clock.advance(76 * day - 1);
    expect(await tell()).toBe(0);
    world.clock.advance(1);
    expect((await Promise.all([tell(), tell()])).sort()).toEqual([0, 1]);
    expect(await tell()).toBe(0);
    const [event] = await eventsOf();
    expect([event?.type, event?.actorName, JSON.parse(event?.metadata ?? "{}")]).toEqual([
      "apikey.expiring",
      "Posthorn",
      {
        api_key_id: made.id,
        name: "Web shop",
        prefix: made.prefix,
        expires_at: new Date(made.expiresAt ?? 0).toISOString(),
      },
    ]);
    await world.posthorn.drain();
    const mails = world.mailer.inbox.all();
    expect(mails.map(({ to }) => to)).toEqual([
      [expect.objectContaining({ address: workspace.owner.email })],
    ]);
    expect(String(mails[0]?.text)).toContain(`Web shop (${made.prefix}…)`);
    expect(String(mails[0]?.text)).not.toContain(made.key);
  });

  test("with a short lifetime is reported after half of it; one e-mail names all of a workspace", async () => {
    const other = await world.addWorkspace();
    await create({ name: "first", expiresInDays: 4 });
    await create({ name: "<second>", expiresInDays: 4 });
    await create({ expiresInDays: 4 }, other.asOwner);
    world.clock.advance(2 * day - 1);
    expect(await tell()).toBe(0);
    world.clock.advance(1);
    expect(await tell()).toBe(3);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(2);
    const { html, text } = world.mailer.inbox.find({ to: workspace.owner.email }) ?? {};
    expect(text).toMatch(/expired:\n- first \(sk_.+ expires at .+UTC\n- <second> \(sk_.+UTC\n\nReplace/);
    expect(html).toMatch(/expired:<br>- first \(sk_.+UTC<br>- &lt;second&gt; \(sk_/);
  });

  test("is reported as expired if no worker ran before its end", async () => {
    await create({ name: "first", expiresInDays: 4 });
    world.clock.advance(4 * day);
    expect(await tell()).toBe(1);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()[0]?.text).toMatch(/- first \(sk_.+\) expired at 20/);
  });
});

test("a revoked key is refused at once, leaves the list and records one event", async () => {
  const { id: apiKeyId, key, prefix } = await create();
  const foreign = await world.addWorkspace();
  const { apiKeys } = world.posthorn;
  expect(await codesOf([apiKeys.revoke({ apiKeyId }, foreign.asOwner)])).toEqual(["not_found"]);
  await apiKeys.revoke({ apiKeyId }, workspace.asOwner);
  expect(await world.posthorn.authenticateApiKey(key)).toBeUndefined();
  expect((await apiKeys.list({}, workspace.asOwner)).items).toEqual([]);
  expect(await codesOf([apiKeys.revoke({ apiKeyId }, workspace.asOwner)])).toEqual(["not_found"]);
  const [revoked] = await eventsOf();
  expect([revoked?.type, JSON.parse(revoked?.metadata ?? "{}")]).toEqual([
    "apikey.revoked",
    { api_key_id: apiKeyId, name: "shop", prefix },
  ]);
  expect(await eventsOf()).toHaveLength(2);
});
