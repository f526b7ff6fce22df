import { useCases } from "@posthorn/core/internal";
import type { Storage } from "@posthorn/core/storage";
import { createWorld, type TestWorkspace, type World } from "@posthorn/core/testing";
import { sideOf } from "@posthorn/storage-sql";
import pg from "pg";
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { lockTable } from "../../test/lock-table.ts";
import { newSchema, openTestPostgres, testPostgresUrl, unhurried } from "../../test/open-test-storage.ts";
import { sentTexts } from "../../test/sent-texts.ts";
import { createPostgresStorage } from "../index.ts";

let storage: Storage;
let world: World;
let shop: TestWorkspace;
let key: string;
let apiKeyId: string;
let templateId: string;
let query: MockInstance;

const openOn = async (opened: Storage) => {
  storage = opened;
  world = await createWorld(storage);
  shop = await world.addWorkspace();
  const made = await world.posthorn.apiKeys.create({ name: "shop", expiresInDays: 1 }, shop.asOwner);
  ({ key, id: apiKeyId } = made);
  await createTemplate();
};

beforeEach(async () => {
  await openOn(await openTestPostgres());
  query = vi.spyOn(pg.Client.prototype, "query");
});
afterEach(async () => {
  query.mockRestore();
  await world.close();
});

const createTemplate = async () => {
  const template = { name: "order", subject: "One", text: "Hello" };
  templateId = (await world.posthorn.templates.create(template, shop.asOwner)).id;
};

const to = ["ada@people.example"];

/** Sends as an HTTP request does. */
async function send(over: object = {}): Promise<unknown> {
  const { posthorn } = world;
  const caller = posthorn.expectApiKey(key) ?? (await posthorn.authenticateApiKey(key));
  if (caller === undefined) throw Object.assign(new Error("no such key"), { code: "unauthenticated" });
  const call = { caller, client: { ip: "192.0.2.1", userAgent: "" }, workspaceId: undefined };
  const input = { template: "order", to, ...over };
  return posthorn.execute(useCases.emails.sendTemplate as never, input as never, call);
}

/** What was sent for a call that finds a reserved id: look-ups, acceptances that confirm what was assumed, and others. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  // Reserved ids are used for a second, which may be over on a busy machine.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  await storage.emails.reserveIds(1);
  query.mockClear();
  await work().finally(() => clock.mockRestore());
  const texts = query.mock.calls.flatMap(([asked]) => sentTexts(asked));
  return texts.flatMap((text) => {
    if (text.startsWith("select (select json_agg")) return ["look-ups"];
    if (text.endsWith("::integer as confirmed")) return ["confirmed"];
    return text.startsWith("with w0 as (") ? ["accepted"] : [];
  });
}

/** Sends until all that a send needs is known. */
async function warmUp(over: object = {}): Promise<void> {
  for (let times = 0; times < 4; times += 1) await send(over);
  expect(await sentBy(() => send(over))).toEqual(["confirmed"]);
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "sent",
    (error: { code?: string; name: string }) => error.code ?? error.name,
  );

const countEmails = async (): Promise<number> =>
  (await storage.emails.list({ workspaceId: shop.id }, { offset: 0, limit: 100 }, 0)).total;

test("a send alone whose look-ups are known is one statement", async () => {
  expect(await sentBy(() => send())).toContain("look-ups");
  await warmUp();
  expect(await sentBy(() => send({ to: ["someone@else.example"] }))).toEqual(["confirmed"]);
  expect(await countEmails()).toBe(7);
});

test("what changed since refuses the send as if it had been looked up, and nothing is written", async () => {
  const { posthorn, clock } = world;
  const { db } = sideOf(storage);
  const admin = { as: await world.addUser({ admin: true }) };
  const changes: Record<string, [() => Promise<unknown>, () => Promise<unknown>]> = {
    all_recipients_suppressed: [
      () => posthorn.suppressions.create({ email: to[0] as string }, shop.asOwner),
      () => posthorn.suppressions.delete({ email: to[0] as string }, shop.asOwner),
    ],
    domain_not_verified: [
      () => posthorn.settings.update({ requireVerifiedDomain: true }, shop.asOwner),
      () => posthorn.settings.update({ requireVerifiedDomain: false }, shop.asOwner),
    ],
    workspace_not_trusted: [
      () => db.updateTable("workspaces").set({ is_trusted: false }).execute(),
      () => db.updateTable("workspaces").set({ is_trusted: true }).execute(),
    ],
    email_not_verified: [
      () => db.updateTable("users").set({ email_verified_at: null }).execute(),
      () => db.updateTable("users").set({ email_verified_at: 1 }).execute(),
    ],
    api_key_expired: [
      () => db.updateTable("api_keys").set({ expires_at: clock.now() }).execute(),
      () => db.updateTable("api_keys").set({ expires_at: null }).execute(),
    ],
    not_found: [() => posthorn.templates.delete({ templateId }, shop.asOwner), createTemplate],
    rate_limited: [
      async () => {
        const plan = await posthorn.plans.create({ name: "Small", dailyRateLimit: 1 }, admin);
        return posthorn.plans.assignToWorkspace({ workspaceId: shop.id, planId: plan.id }, admin);
      },
      async () => {},
    ],
  };
  for (const [code, [change, undo]] of Object.entries(changes)) {
    await warmUp();
    const before = await countEmails();
    await change();
    expect(await codeOf(send())).toBe(code);
    expect(await codeOf(send())).toBe(code);
    expect(await countEmails()).toBe(before);
    await undo();
  }
});

test.each([
  ["revoked", {}, () => world.posthorn.apiKeys.revoke({ apiKeyId }, shop.asOwner)],
  // Such a send begins a transaction, in which it reserves its key.
  ["revoked", { idempotencyKey: "k" }, () => world.posthorn.apiKeys.revoke({ apiKeyId }, shop.asOwner)],
  ["deleted with its workspace", {}, () => storage.workspaces.delete(shop.id)],
])("a key that was %s accepts nothing more: %o", async (_, over, end) => {
  await warmUp();
  await end();
  const { db } = sideOf(storage);
  const written = async () => [
    (await db.selectFrom("emails").select("id").execute()).length,
    (await db.selectFrom("idempotency_keys").selectAll().execute()).length,
  ];
  const before = await written();
  expect(await sentBy(async () => expect(await codeOf(send(over))).toBe("unauthenticated"))).toContain(
    "confirmed",
  );
  expect(await written()).toEqual(before);
});

test("a key that has expired meanwhile is refused by the clock, without any change", async () => {
  await warmUp();
  world.clock.advance(2 * 86_400_000);
  expect(await codeOf(send())).toBe("api_key_expired");
});

test("a new active version, a new sender and a new webhook apply to the next send", async () => {
  const { posthorn } = world;
  await warmUp();
  const { id: versionId } = await posthorn.templateVersions.create(
    { templateId, subject: "Two", text: "Hello" },
    shop.asOwner,
  );
  await posthorn.templateVersions.activate({ templateId, versionId }, shop.asOwner);
  expect(await send()).toMatchObject({ subject: "Two" });
  await posthorn.settings.update({ defaultSenderEmail: "new@shop.example" }, shop.asOwner);
  const findWorkspace = vi.spyOn(storage.workspaces, "find");
  expect(await send()).toMatchObject({ from: expect.stringContaining("new@shop.example") });
  expect(findWorkspace).not.toHaveBeenCalled();
  await posthorn.webhooks.create({ url: "https://hooks.example/", events: ["*"] }, shop.asOwner);
  await send();
  expect(await sideOf(storage).db.selectFrom("webhook_deliveries").select("id").execute()).toHaveLength(1);
});

test("what a host has not committed is neither assumed nor waited for", async () => {
  await warmUp();
  const { db } = sideOf(storage);
  const [uncommitted, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const changing = db.transaction().execute(async (handle) => {
    await handle.updateTable("api_keys").set({ revoked_at: 1 }).execute();
    changed.resolve();
    await uncommitted.promise;
  });
  await changed.promise;
  expect(await sentBy(() => send())).toEqual(["confirmed"]);
  uncommitted.resolve();
  await changing;
  expect(await codeOf(send())).toBe("unauthenticated");
});

test("a quota is exact, and keys give their first answers", async () => {
  const { posthorn } = world;
  const admin = { as: await world.addUser({ admin: true }) };
  const plan = await posthorn.plans.create({ name: "Small", dailyRateLimit: 8 }, admin);
  await posthorn.plans.assignToWorkspace({ workspaceId: shop.id, planId: plan.id }, admin);
  const once = { idempotencyKey: "k" };
  const again = { ...((await send(once)) as object), replayed: true };
  for (let times = 0; times < 3; times += 1) expect(await send(once)).toEqual(again);
  const codes: string[] = [];
  for (let times = 0; times < 9; times += 1) codes.push(await codeOf(send()));
  expect(codes).toEqual([...Array(7).fill("sent"), "rate_limited", "rate_limited"]);
  expect(await send(once)).toEqual(again);
  expect(await countEmails()).toBe(8);
});

test("sends at the same time are each accepted once, and share look-ups and a commit", async () => {
  await warmUp();
  const sent = await sentBy(() => Promise.all(Array.from({ length: 20 }, () => send())));
  expect(sent.filter((one) => one === "confirmed")).toHaveLength(1);
  expect(sent.filter((one) => one === "look-ups")).toHaveLength(1);
  expect(await countEmails()).toBe(25);
});

test("the use of a key is still noted once a minute", async () => {
  await warmUp();
  world.clock.advance(61_000);
  const now = world.clock.now();
  await send();
  expect((await storage.apiKeys.find(shop.id, apiKeyId))?.lastUsedAt).toBe(now);
  await send();
  expect(await sentBy(() => send())).toEqual(["confirmed"]);
});

test("a connection that is lost while the e-mail is written is reported, and the e-mail is not sent again", async () => {
  await warmUp();
  const before = await countEmails();
  const { db } = sideOf(storage);
  const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction().execute(async (handle) => {
    await handle.selectFrom("workspaces").selectAll().where("id", "=", shop.id).forUpdate().execute();
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const sending = codeOf(send());
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  const end =
    "select pg_terminate_backend(pid) as done from pg_stat_activity where wait_event_type = 'Lock' and query like 'with w0 as (%'";
  await expect.poll(async () => (await client.query(end)).rows.length, { interval: 5 }).toBeGreaterThan(0);
  await client.end();
  expect(await sending).toBe("StorageUnavailable");
  held.resolve();
  await holding;
  expect(await countEmails()).toBe(before);
});

test("a workspace that needs a verified domain sends on what is looked up", async () => {
  const { posthorn, dns } = world;
  await posthorn.settings.update({ requireVerifiedDomain: true }, shop.asOwner);
  await posthorn.settings.update({ defaultSenderEmail: "a@shop.example" }, shop.asOwner);
  const { id: domainId, records } = await posthorn.domains.create({ name: "shop.example" }, shop.asOwner);
  for (const { name, type, value, priority } of records)
    if (type === "MX") dns.setMx(name, `${priority} ${value}`);
    else dns.set(name, value);
  await posthorn.domains.verify({ domainId }, shop.asOwner);
  for (let times = 0; times < 4; times += 1)
    expect(await sentBy(() => send())).toEqual(expect.arrayContaining(["look-ups", "accepted"]));
  await sideOf(storage).db.updateTable("domains").set({ status: "failed" }).execute();
  expect(await codeOf(send())).toBe("domain_not_verified");
});

test("an e-mail with files is on no assumption: they are stored before it", async () => {
  const attachments = [{ filename: "a.txt", content: Buffer.from("text").toString("base64") }];
  await warmUp();
  const findHandles = vi.spyOn(storage.attachments, "findHandles");
  expect(await sentBy(() => send({ attachments }))).not.toContain("confirmed");
  expect(findHandles).toHaveBeenCalledTimes(1);
  await world.posthorn.apiKeys.revoke({ apiKeyId }, shop.asOwner);
  const count = async () => (await sideOf(storage).db.selectFrom("blobs").selectAll().execute()).length;
  const before = await count();
  const other = [{ filename: "b.txt", content: Buffer.from("other").toString("base64") }];
  expect(await codeOf(send({ attachments: other }))).toBe("unauthenticated");
  expect(await count()).toBe(before);
});

test("a locked table that a send would look up holds up no other, and stops assumptions for a while", async () => {
  await warmUp();
  let unlock = await lockTable(`"${sideOf(storage).engine.schema}".templates`);
  const waiting = codeOf(send());
  const other = codeOf(world.posthorn.emails.send({ subject: "S", text: "T", to }, { workspaceId: shop.id }));
  expect(await Promise.race([waiting.then(() => "not locked"), other])).toBe("sent");
  await unlock();
  expect(await waiting).toBe("sent");
  await world.close();
  const [connectionString, schema] = [await testPostgresUrl(), newSchema()];
  const timeouts = { ...unhurried, lock: 300 };
  await openOn(await createPostgresStorage({ connectionString, schema, timeouts }));
  await warmUp();
  unlock = await lockTable(`"${schema}".templates`);
  expect(await codeOf(send())).toBe("StorageUnavailable");
  await unlock();
  expect(await sentBy(() => send())).not.toContain("confirmed");
});
