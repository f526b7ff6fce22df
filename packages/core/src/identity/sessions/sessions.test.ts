import { beforeEach, expect, test } from "vitest";
import { openUserWorldForEach, password, works, world } from "../../../test/user-for-each.ts";
import type { UserCaller } from "../../calls/caller.ts";

const day = 24 * 60 * 60_000;

openUserWorldForEach();
beforeEach(async () => {
  for (const name of ["ada", "eve"])
    await world.posthorn.users.create({ name, email: `${name}@example.com`, password });
});

/** Logs in again and returns the caller with its token. */
async function login(name = "ada"): Promise<{ token: string; sessionId: string; as: UserCaller }> {
  const { token, sessionId } = await world.posthorn.accounts.login({
    email: `${name}@example.com`,
    password,
  });
  const as = await world.posthorn.authenticateUser(token);
  if (as === undefined) throw new Error("the token is refused");
  return { token, sessionId, as };
}

const typesOf = async (as: UserCaller): Promise<string[]> =>
  (await world.posthorn.auditLog.listMine({}, { as })).items.map(({ type }) => type);

test("lists the caller's own, newest first, revoked ones marked, expired ones omitted", async () => {
  await login();
  world.clock.advance(day);
  const [first, second] = [await login(), await login()];
  await login("eve");
  await world.posthorn.sessions.revoke({ sessionId: first.sessionId }, { as: second.as });
  const { items: listed } = await world.posthorn.sessions.list({}, { as: second.as });
  expect(listed.map(({ id, revoked }) => ({ id, revoked }))).toEqual([
    { id: second.sessionId, revoked: false },
    { id: first.sessionId, revoked: true },
  ]);
  expect(listed[0]?.expiresAt).toBe((listed[0]?.createdAt ?? 0) + day);
});

test("a revoked session's token is refused at once, the others stay", async () => {
  const [one, two] = [await login(), await login()];
  expect(await world.posthorn.sessions.revoke({ sessionId: one.sessionId }, { as: two.as })).toEqual({
    message: expect.any(String),
  });
  expect([await works(one.token), await works(two.token)]).toEqual([false, true]);
  await expect(
    world.posthorn.sessions.revoke({ sessionId: one.sessionId }, { as: two.as }),
  ).resolves.toBeDefined();
  expect((await typesOf(two.as)).filter((type) => type === "session.revoked")).toHaveLength(1);
});

test("a change in a workspace that was under way as its session was revoked is not made", async () => {
  const [one, two] = [await login(), await login()];
  const { id: workspaceId } = await world.posthorn.workspaces.create({ name: "Acme" }, { as: one.as });
  const { apiKeys, suppressions, sessions } = world.posthorn;
  const create = ({ as }: { as: UserCaller }) => apiKeys.create({ name: "key" }, { as, workspaceId });
  await create(one);
  await sessions.revoke({ sessionId: one.sessionId }, { as: two.as });
  await expect(create(one)).rejects.toMatchObject({ code: "unauthenticated" });
  const content = Buffer.from("email\nbob@example.com\n");
  await expect(suppressions.import({ content }, { as: one.as, workspaceId })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  await create(two);
});

test("many calls at once that end one session leave one event", async () => {
  const [one, two, three] = [await login(), await login(), await login()];
  const { sessions } = world.posthorn;
  await Promise.all([
    ...Array.from({ length: 10 }, () => sessions.revoke({ sessionId: one.sessionId }, { as: three.as })),
    ...Array.from({ length: 10 }, () => sessions.logout({}, { as: two.as })),
  ]);
  const ends = (await typesOf(two.as)).filter((type) => /revoked|logout/.test(type));
  expect(ends.toSorted()).toEqual(["session.revoked", "user.logout"]);
});

test.each(["revokeOthers", "revoke"] as const)(
  "of two sessions that end each other by %s at once, the first stays",
  async (verb) => {
    const [one, two] = [await login(), await login()];
    const end = (by: UserCaller, sessionId: string) =>
      verb === "revoke"
        ? world.posthorn.sessions.revoke({ sessionId }, { as: by })
        : world.posthorn.sessions.revokeOthers({}, { as: by });
    const outcomes = await Promise.allSettled([end(one.as, two.sessionId), end(two.as, one.sessionId)]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "unauthenticated" } },
    ]);
    expect([await works(one.token), await works(two.token)]).toEqual([true, false]);
  },
);

test("a session that ended during its request does not end the others by a new password", async () => {
  const [one, two] = [await login(), await login()];
  await world.posthorn.sessions.revokeOthers({}, { as: two.as });
  const input = { currentPassword: password, password: "a loom for numbers alone" };
  await expect(world.posthorn.users.changePassword(input, { as: one.as })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  expect(await works(two.token)).toBe(true);
});

test("another user's session, an unknown one and a bad id are not revoked", async () => {
  const [ada, eve] = [await login(), await login("eve")];
  for (const sessionId of [ada.sessionId, "01890000-0000-7000-8000-000000000000"]) {
    await expect(world.posthorn.sessions.revoke({ sessionId }, { as: eve.as })).rejects.toMatchObject({
      code: "not_found",
    });
  }
  await expect(world.posthorn.sessions.revoke({ sessionId: "1" }, { as: eve.as })).rejects.toMatchObject({
    code: "validation_failed",
  });
  expect(await works(ada.token)).toBe(true);
});

test("revoking the others keeps the current one and other users'", async () => {
  const [one, two, three, eve] = [await login(), await login(), await login(), await login("eve")];
  const answer = await world.posthorn.sessions.revokeOthers({}, { as: two.as });
  expect(answer).toMatchObject({ revoked: 2 });
  const left = await Promise.all([one, two, three, eve].map(({ token }) => works(token)));
  expect(left).toEqual([false, true, false, true]);
  expect((await typesOf(two.as))[0]).toBe("session.others_revoked");
});

test("logging out ends the current session only", async () => {
  const [one, two] = [await login(), await login()];
  await world.posthorn.sessions.logout({}, { as: one.as });
  expect([await works(one.token), await works(two.token)]).toEqual([false, true]);
  expect((await typesOf(two.as))[0]).toBe("user.logout");
});

test("a caller identified by the host has no session to log out of", async () => {
  await expect(world.posthorn.sessions.logout({}, { as: await world.addUser() })).rejects.toMatchObject({
    code: "not_found",
  });
});
