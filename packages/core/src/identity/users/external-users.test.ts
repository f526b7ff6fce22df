import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { codesOf } from "../../../test/world-for-each.ts";
import { createWorld, type World } from "../../testing/index.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
});
afterEach(() => world.close());

const ada = { externalId: "crm-1", name: "Ada", email: "ada@example.com" };
const password = "the engine weaves algebra";

const typesOf = async (userId: number) =>
  (await world.storage.events.list({ workspaceId: "all", userId }, { offset: 0, limit: 50 })).items.map(
    ({ type }) => type,
  );

describe("a user with an external id", () => {
  test("is created once, also by concurrent calls", async () => {
    const { users } = world.posthorn;
    const made = await Promise.all(Array.from({ length: 20 }, () => users.ensure(ada)));
    const [first] = made;
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(first).toMatchObject({ ...ada, emailVerified: true, isAdmin: false });
    expect(await typesOf(first?.id ?? 0)).toEqual(["user.created"]);
  });

  test("follows the host's name and address, and links e-mailed to the former one become invalid", async () => {
    const { posthorn, storage } = world;
    const { id } = await posthorn.users.ensure(ada);
    await storage.emailTokens.insert({
      digest: "d",
      purpose: "reset_password",
      userId: id,
      expiresAt: world.clock.now() + 60_000,
    });
    const moved = { ...ada, name: "Ada L.", email: "ada@example.org" };
    expect(await posthorn.users.ensure(moved)).toMatchObject({ id, ...moved });
    expect(await posthorn.users.ensure(moved)).toMatchObject({ id, ...moved });
    expect(await storage.emailTokens.find("reset_password", "d", world.clock.now())).toBeUndefined();
    expect(await typesOf(id)).toEqual(["user.updated", "user.created"]);
  });

  test("is told at the former address of another one, if a password can then be reset there", async () => {
    const { posthorn, mailer } = world;
    const moved = { ...ada, email: "eve@evil.example" };
    const told = async () => {
      await posthorn.drain();
      return mailer.inbox.all().map(({ envelope, subject }) => [envelope.to, subject]);
    };
    await posthorn.users.ensure(ada);
    await posthorn.users.ensure({ ...ada, email: "ada@example.org" });
    expect(await told()).toEqual([]);
    const { id } = await posthorn.users.ensure(ada);
    await posthorn.users.setPassword({ userId: id, password });
    await told();
    mailer.inbox.clear();
    await posthorn.users.ensure({ ...ada, email: "ADA@example.com" });
    expect(await told()).toEqual([]);
    await posthorn.users.ensure(moved);
    expect(await told()).toEqual([[["ADA@example.com"], "Your account has another address"]]);
  });

  test("is not written again while the host's profile is the same, in another spelling of it", async () => {
    const { posthorn, storage } = world;
    const profile = { name: " Ame\u0301lie ", email: "amelie@b\u00fccher.example" };
    const admit = () => posthorn.admit({ externalId: "crm-1", profile });
    const first = await admit();
    expect(first?.caller).toMatchObject({ name: "Am\u00e9lie", email: "amelie@xn--bcher-kva.example" });
    const { transaction } = storage;
    let begun = 0;
    storage.transaction = (work, holder) => {
      begun += 1;
      return transaction(work, holder);
    };
    expect(await admit()).toEqual(first);
    expect(begun).toBe(0);
    storage.transaction = transaction;
  });

  test("can't have an address that another user has, at creation or later", async () => {
    const { users } = world.posthorn;
    await world.addUser({ email: "grace@example.com" });
    await users.ensure(ada);
    for (const taken of [
      { externalId: "crm-2", name: "Grace", email: "GRACE@example.com" },
      { ...ada, email: "grace@example.com" },
    ])
      await expect(users.ensure(taken)).rejects.toMatchObject({ code: "email_taken" });
    expect(await users.ensure(ada)).toMatchObject(ada);
  });

  test.each([
    ["empty", ""],
    ["too long", "x".repeat(201)],
    ["with a line break", "a\nb"],
    ["with NUL", "a\u0000b"],
  ])("can't have an external id that is %s", async (_, externalId) => {
    await expect(world.posthorn.users.ensure({ ...ada, externalId })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "externalId" }],
    });
  });

  test("can't log in with a password, change one, or set up two-factor login", async () => {
    const { posthorn } = world;
    const { id } = await posthorn.users.ensure(ada);
    const as = await posthorn.findUser({ externalId: "crm-1" });
    if (as === undefined) throw new Error("nobody");
    expect(as).toMatchObject({ userId: id, emailVerified: true });
    expect(await posthorn.findUser({ externalId: "crm-2" })).toBeUndefined();
    for (const tried of [password, "!", "undefined"])
      await expect(posthorn.accounts.login({ email: ada.email, password: tried })).rejects.toMatchObject({
        code: "invalid_credentials",
      });
    const refused = await codesOf([
      posthorn.users.changePassword({ currentPassword: password, password: "another long phrase" }, { as }),
      posthorn.users.deleteMe({ password }, { as }),
      posthorn.twoFactor.setup({}, { as }),
    ]);
    expect(refused).toEqual(new Array(3).fill("password_not_set"));
  });

  test("is informed by e-mail that there is no password to reset; the caller gets the usual answer", async () => {
    const { posthorn, mailer } = world;
    await posthorn.users.ensure(ada);
    const answered = await posthorn.accounts.forgotPassword({ email: ada.email });
    expect(answered).toEqual(await posthorn.accounts.forgotPassword({ email: "nobody@example.com" }));
    await posthorn.drain();
    expect(mailer.inbox.all().map(({ subject }) => subject)).toEqual(["Your account has no password"]);
    expect(mailer.inbox.find({ to: ada.email })?.text).not.toContain("token=");
  });

  test("logs in with a password once the operator sets one", async () => {
    const { posthorn } = world;
    const { id } = await posthorn.users.ensure(ada);
    await posthorn.users.setPassword({ userId: id, password });
    expect(await posthorn.accounts.login({ email: ada.email, password })).toMatchObject({ user: { id } });
  });
});

describe("an account linked to an external id", () => {
  const register = async () =>
    await world.posthorn.accounts.register({ name: "Ada", email: ada.email, password });

  test("keeps its password if its address was verified", async () => {
    const { posthorn } = world;
    const { id } = await posthorn.users.create({ name: "Ada", email: ada.email, password });
    expect(await posthorn.users.link({ userId: id, externalId: "crm-1" })).toMatchObject({
      externalId: "crm-1",
    });
    expect(await posthorn.users.ensure(ada)).toMatchObject({ id });
    await posthorn.accounts.login({ email: ada.email, password });
    await posthorn.users.link({ userId: id, externalId: "crm-2" });
    const { items } = await posthorn.events.list({ type: "user.linked" });
    expect(items.map(({ metadata }) => metadata)).toEqual([
      { externalId: "crm-2", changes: { external_id: { from: "crm-1", to: "crm-2" } } },
      { externalId: "crm-1", changes: { external_id: { from: null, to: "crm-1" } } },
    ]);
  });

  test("loses everything that a stranger set up on an unverified address", async () => {
    const { posthorn } = world;
    const { id } = await register();
    const { token } = await posthorn.accounts.login({ email: ada.email, password });
    const linked = await posthorn.users.link({ userId: id, externalId: "crm-1" });
    expect(linked.emailVerified).toBe(true);
    expect(await posthorn.authenticateUser(token)).toBeUndefined();
    await expect(posthorn.accounts.login({ email: ada.email, password })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
  });

  test("can't get an external id that another user has", async () => {
    const { posthorn } = world;
    await posthorn.users.ensure(ada);
    const { userId } = await world.addUser();
    await expect(posthorn.users.link({ userId, externalId: "crm-1" })).rejects.toMatchObject({
      code: "external_id_taken",
    });
  });
});
