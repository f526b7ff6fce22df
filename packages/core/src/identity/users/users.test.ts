import { describe, expect, test } from "vitest";
import {
  create,
  email,
  eventsOf,
  login,
  openUserWorldForEach,
  other,
  password,
  works,
  world,
} from "../../../test/user-for-each.ts";
import { codesOf } from "../../../test/world-for-each.ts";
import type { UserCaller } from "../../calls/caller.ts";

openUserWorldForEach();

test("an administrator demoted after the request arrived changes nothing", async () => {
  const admin = await world.addUser({ admin: true });
  const user = await world.addUser();
  const { posthorn } = world;
  await posthorn.users.demote({ userId: admin.userId });
  const asked = [
    () => posthorn.users.promote({ userId: user.userId }, { as: admin }),
    () => posthorn.users.promote({ userId: admin.userId }, { as: admin }),
    () => posthorn.plans.create({ name: "Free" }, { as: admin }),
  ];
  for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: "administrator_required" });
  expect((await posthorn.users.get({ userId: user.userId })).isAdmin).toBe(false);
  expect((await posthorn.plans.list({})).items).toEqual([]);
});

describe("the caller's own profile", () => {
  test("shows and changes the name, and nothing else", async () => {
    const user = await create();
    const { as } = await login();
    expect(await world.posthorn.users.getMe({}, { as })).toEqual(user);
    expect(await world.posthorn.users.updateMe({ name: " Ada L. " }, { as })).toEqual({
      ...user,
      name: "Ada L.",
    });
    expect((await eventsOf(user.id))[0]).toMatchObject({ type: "user.updated" });
    for (const input of [{}, { name: "" }, { name: "Ada", isAdmin: true }])
      await expect(world.posthorn.users.updateMe(input, { as })).rejects.toMatchObject({
        code: "validation_failed",
      });
  });
});

describe("the caller's own password", () => {
  const change = (as: UserCaller, currentPassword: string, next = other) =>
    world.posthorn.users.changePassword({ currentPassword, password: next }, { as });

  test("changes with the current one; the other sessions end and reset links become invalid", async () => {
    await create();
    const [here, there] = [await login(), await login()];
    await world.posthorn.accounts.forgotPassword({ email });
    await world.posthorn.drain();
    const mail = world.mailer.inbox.find({ subject: "Reset your password" });
    const token = /\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    await change(here.as, password);
    expect([await works(here.token), await works(there.token)]).toEqual([true, false]);
    await expect(world.posthorn.accounts.resetPassword({ token, password })).rejects.toMatchObject({
      code: "validation_failed",
    });
    await expect(login()).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(login(other)).resolves.toBeDefined();
    await world.posthorn.drain();
    expect(world.mailer.inbox.find({ to: email, subject: "Your password has changed" })).toBeDefined();
    expect((await eventsOf(here.as.userId)).map(({ type }) => type)).toContain("user.password_changed");
  });

  test("is unchanged if the current one is wrong or the new one weak", async () => {
    await create();
    const { as, token } = await login();
    await expect(change(as, "wrong")).rejects.toMatchObject({
      code: "validation_failed",
      details: [expect.objectContaining({ path: "currentPassword" })],
    });
    await expect(change(as, password, "short")).rejects.toMatchObject({
      code: "validation_failed",
      details: [expect.objectContaining({ path: "password" })],
    });
    expect(await works(token)).toBe(true);
    await expect(login()).resolves.toBeDefined();
  });

  test("can't be guessed by changing it: guesses count as those at login", async () => {
    await create();
    const { as } = await login();
    const settled = await Promise.allSettled(Array.from({ length: 12 }, () => change(as, "wrong")));
    const codes = settled.map((one) =>
      one.status === "rejected" ? (one.reason as { code: string }).code : "ok",
    );
    expect(codes.filter((code) => code === "validation_failed")).toHaveLength(10);
    await expect(login()).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("of two changes at once, one succeeds", async () => {
    await create();
    const { as } = await login();
    const settled = await Promise.allSettled([change(as, password), change(as, password, `${other}!`)]);
    expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("for administrators", () => {
  test("lists users, newest first, by a part of name or address, in pages", async () => {
    const as = await world.addUser({ admin: true, name: "Root", email: "root@example.org" });
    await world.addUser({ name: "Grace", email: "grace@example.com" });
    await world.addUser({ name: "Ada", email: "lovelace@example.com" });
    const names = async (input: object) =>
      (await world.posthorn.users.list(input, { as })).items.map(({ name }) => name);
    expect(await names({})).toEqual(["Ada", "Grace", "Root"]);
    expect(await names({ q: "LOVE" })).toEqual(["Ada"]);
    expect(await names({ q: "grace" })).toEqual(["Grace"]);
    expect(await names({ q: "%" })).toEqual([]);
    expect(await world.posthorn.users.list({ page: 1, size: 2 }, { as })).toMatchObject({
      items: [{ name: "Root" }],
      total: 3,
      page: 1,
      size: 2,
    });
    const user = await world.addUser();
    await expect(world.posthorn.users.list({}, { as: user })).rejects.toMatchObject({
      code: "administrator_required",
    });
  });

  test.each(["ida@bücher.example", "IDA@bücher.example", "Bücher", "bu\u0308cher"])(
    "finds a user of an international domain by %s",
    async (q) => {
      const as = await world.addUser({ admin: true });
      await world.posthorn.users.create({ name: "Ms Bücher", email: "ida@bücher.example", password }, { as });
      expect((await world.posthorn.users.list({ q }, { as })).items.map(({ email }) => email)).toEqual([
        "ida@xn--bcher-kva.example",
      ]);
    },
  );

  test("an administrator's account is deleted by others alone, as its rights are taken away", async () => {
    const { id: userId } = await create({ isAdmin: true });
    const { as } = await login();
    for (const ask of [
      () => world.posthorn.users.demote({ userId }, { as }),
      () => world.posthorn.users.delete({ userId }, { as }),
      () => world.posthorn.users.deleteMe({ password }, { as }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: "forbidden" });
    const other = await world.addUser({ admin: true });
    await world.posthorn.users.delete({ userId }, { as: other });
    await world.posthorn.users.delete({ userId: other.userId });
    expect(await world.posthorn.users.list({})).toMatchObject({ total: 0 });
  });

  test("revoking all of a user's sessions is told as what it is", async () => {
    const { id: userId } = await create();
    await login();
    await world.posthorn.users.revokeSessions({ userId });
    expect(await eventsOf(userId)).toContainEqual({
      type: "session.others_revoked",
      message: "host revoked all sessions",
    });
  });

  test("omits hashes and secrets", async () => {
    const { id } = await create();
    const shown = await world.posthorn.users.get({ userId: id });
    expect(Object.keys(shown).sort()).toEqual(
      [
        "createdAt",
        "email",
        "emailVerified",
        "externalId",
        "id",
        "isAdmin",
        "name",
        "twoFactorEnabled",
      ].sort(),
    );
    await expect(world.posthorn.users.get({ userId: 999 })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("for operators", () => {
  test("creates users with verified addresses, including administrators", async () => {
    const user = await create({ isAdmin: true });
    expect(user).toMatchObject({ emailVerified: true, isAdmin: true });
    expect((await login()).as.isAdmin).toBe(true);
    await expect(create({ email: "ADA@example.com" })).rejects.toMatchObject({ code: "email_taken" });
    await expect(create({ email: "b@example.com", password: "short" })).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect(await eventsOf(user.id)).toContainEqual({
      type: "user.created",
      message: "host created the account: ada@example.com",
    });
  });

  test("promotes and demotes, each once", async () => {
    const { id } = await create();
    const input = { userId: id };
    expect((await world.posthorn.users.promote(input)).isAdmin).toBe(true);
    expect((await world.posthorn.users.promote(input)).isAdmin).toBe(true);
    expect((await world.posthorn.users.demote(input)).isAdmin).toBe(false);
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types).toEqual(["user.demoted", "user.promoted", "user.created"]);
    await expect(world.posthorn.users.promote({ userId: 999 })).rejects.toMatchObject({ code: "not_found" });
  });

  test("gives nothing to an account whose address nobody has verified, as a stranger may have opened it", async () => {
    const { posthorn } = world;
    const { id: workspaceId } = await world.addWorkspace();
    const { userId } = await world.addUser({ verified: false });
    const more = await posthorn.workspaces.ensure({ externalId: "more", name: "More" });
    const codes = await codesOf([
      posthorn.users.promote({ userId }),
      posthorn.members.add({ workspaceId, userId, role: "viewer" }),
      posthorn.workspaces.ensure({ externalId: "more", name: "More", userId }),
    ]);
    expect(codes).toEqual(Array(3).fill("email_not_verified"));
    expect((await posthorn.users.demote({ userId })).isAdmin).toBe(false);
    expect((await posthorn.members.list({}, { workspaceId: more.id })).total).toBe(0);
  });

  test("a demoted administrator loses the rights with the next call", async () => {
    const { id } = await create({ isAdmin: true });
    const { token } = await login();
    await world.posthorn.users.demote({ userId: id });
    expect((await world.posthorn.authenticateUser(token))?.isAdmin).toBe(false);
  });

  test("sets a password, which ends every session and resets the limit on guesses", async () => {
    const { id } = await create();
    const { token } = await login();
    await Promise.allSettled(Array.from({ length: 10 }, () => login("wrong")));
    await world.posthorn.users.setPassword({ userId: id, password: other });
    expect(await works(token)).toBe(false);
    await expect(login(other)).resolves.toBeDefined();
    await expect(world.posthorn.users.setPassword({ userId: id, password: email })).rejects.toMatchObject({
      code: "validation_failed",
    });
  });

  test("revokes every session of a user", async () => {
    const { id } = await create();
    const [one, two] = [await login(), await login()];
    expect(await world.posthorn.users.revokeSessions({ userId: id })).toMatchObject({ revoked: 2 });
    expect([await works(one.token), await works(two.token)]).toEqual([false, false]);
  });
});
