import { expect, test } from "vitest";
import { type CommandWorld, openCommandWorld } from "./command-world.ts";

const password = "correct horse battery";

async function addAda(world: CommandWorld) {
  return await world.posthorn.users.create({ name: "Ada", email: "Ada@example.com", password });
}

async function lastEvent({ posthorn }: CommandWorld) {
  return (await posthorn.events.list({ size: 1 })).items[0];
}

test("creates the first administrator from a password on standard input, once", async () => {
  const world = await openCommandWorld();
  const create = ["users", "create", "--email", "ada@example.com", "--name", "Ada", "--admin"];
  const made = await world.pipe(`${password}\n`, ...create, "--password-stdin");
  expect(made.code).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({
    id: 1,
    email: "ada@example.com",
    is_admin: true,
    email_verified: true,
  });
  expect(made.stdout + made.stderr).not.toContain(password);

  const [again, unasked, login] = await Promise.all([
    world.pipe(password, ...create, "--password-stdin", "--json"),
    world.run(...create),
    world.posthorn.accounts.login({ email: "ada@example.com", password }, { as: { kind: "anonymous" } }),
  ]);
  expect(again).toMatchObject({ code: 5, stdout: "" });
  expect(JSON.parse(again.stderr).error).toEqual({
    code: "email_taken",
    message: expect.any(String),
    hint: null,
  });
  expect(unasked.code).toBe(2);
  expect(unasked.stderr).toContain("--password-stdin");
  expect(login.user.id).toBe(1);
});

test("a refused password and an option that would show one are named in words that lead on", async () => {
  const world = await openCommandWorld();
  const create = ["users", "create", "--email", "ada@example.com"];
  const [short, shown] = await Promise.all([
    world.pipe("short", ...create, "--password-stdin"),
    world.run(...create, "--password=a long enough one"),
  ]);
  expect(short.code).toBe(2);
  expect(short.stderr).toContain("The password must be at least 12 characters long.");
  expect(shown.code).toBe(2);
  expect(shown.stderr).toContain("(Did you mean --password-stdin?)");
});

test("a noun alone lists; a user is shown by address in any case, and an unknown one is not found", async () => {
  const world = await openCommandWorld();
  const [none, help] = await Promise.all([world.run("users"), world.run("users", "reset-2fa", "--help")]);
  expect(none).toMatchObject({ code: 0, stdout: "[]\n" });
  expect(help.stdout).toContain("Example:\n  posthorn users reset-2fa ada@example.com");
  await addAda(world);
  const [shown, missing, wrong, searched] = await Promise.all([
    world.json("users", "show", "ADA@EXAMPLE.COM"),
    world.run("users", "show", "bob@example.com"),
    world.run("users", "show", "ada"),
    world.json<unknown[]>("users", "list", "--query", "nobody"),
  ]);
  expect(shown).toMatchObject({ id: 1, name: "Ada", email: "Ada@example.com", two_factor_enabled: false });
  expect(missing.code).toBe(3);
  expect(wrong.code).toBe(2);
  expect(searched).toEqual([]);
});

test("reset-2fa names the user and the effect, asks for confirmation, and records an event", async () => {
  const world = await openCommandWorld();
  const { storage } = world.posthorn;
  const { id } = await addAda(world);
  const now = Date.now();
  await storage.users.setPendingTotp(id, { secret: "sealed", expiresAt: now + 60_000 });
  await storage.users.enableTotp(id, "sealed", 1, now);
  const session = { id: crypto.randomUUID(), userId: id, userAgent: "", ipAddress: "", createdAt: now };
  await storage.sessions.insert({ ...session, expiresAt: now + 60_000 });

  const unsure = await world.run("users", "reset-2fa", "ada@example.com");
  expect(unsure).toMatchObject({ code: 2, stdout: "" });
  expect(unsure.stderr).toContain("Ada <Ada@example.com> (user 1), ends 1 session");
  expect(unsure.stderr).toContain("--yes");
  expect((await storage.users.find(id))?.twoFactorEnabledAt).toBe(now);

  const done = await world.json("users", "reset-2fa", "ada@example.com", "--yes");
  expect(done).toMatchObject({ id, two_factor_enabled: false });
  expect((await storage.sessions.findWithUser(session.id))?.session.revokedAt).toBeTypeOf("number");
  const event = await lastEvent(world);
  expect(event).toMatchObject({
    type: "user.2fa_disabled",
    userId: id,
    metadata: { byAdministrator: true },
  });
  expect(event?.actorName).toMatch(/.+ \(command line\)$/);

  expect((await world.run("users", "reset-2fa", String(id), "--yes")).code).toBe(5);
});

test("set-password and revoke-sessions end sessions, after confirmation", async () => {
  const world = await openCommandWorld();
  const { id } = await addAda(world);
  const anonymous = { as: { kind: "anonymous" } } as const;
  const { token } = await world.posthorn.accounts.login({ email: "ada@example.com", password }, anonymous);

  const unsure = await world.run("users", "revoke-sessions", "1");
  expect(unsure.code).toBe(2);
  expect(await world.posthorn.authenticateUser(token)).toBeDefined();
  expect(await world.json("users", "revoke-sessions", "1", "--yes")).toEqual({ user_id: id, revoked: 1 });
  expect(await world.posthorn.authenticateUser(token)).toBeUndefined();
  expect(await lastEvent(world)).toMatchObject({ type: "session.others_revoked", userId: id });

  const set = (input: string) => world.pipe(input, "users", "set-password", "1", "--password-stdin", "--yes");
  const [weak, empty] = await Promise.all([set("short"), set("")]);
  expect([weak.code, empty.code]).toEqual([2, 2]);
  expect((await set("another horse battery\n")).code).toBe(0);
  expect(await lastEvent(world)).toMatchObject({ type: "user.password_reset", userId: id });
  const login = { email: "ada@example.com", password: "another horse battery" };
  expect((await world.posthorn.accounts.login(login, anonymous)).user.id).toBe(id);
});

test("promotes and demotes administrators", async () => {
  const world = await openCommandWorld();
  await addAda(world);
  expect(await world.json("users", "promote", "1")).toMatchObject({ is_admin: true });
  expect((await world.run("users", "demote", "1")).code).toBe(2);
  expect(await world.json("users", "demote", "1", "--yes")).toMatchObject({ is_admin: false });
});

test("delete names the user and asks for confirmation; an owner of workspaces can't be deleted", async () => {
  const world = await openCommandWorld();
  const { id } = await addAda(world);
  const { id: workspaceId } = await world.posthorn.workspaces.createFor({ name: "Shop", userId: id });
  const [unsure, owning] = await Promise.all([
    world.run("users", "delete", "ada@example.com"),
    world.run("users", "delete", "ada@example.com", "--yes", "--json"),
  ]);
  expect(unsure.code).toBe(2);
  expect(unsure.stderr).toContain("Ada <Ada@example.com> (user 1)");
  expect(owning).toMatchObject({ code: 5, stdout: "" });
  expect(owning.stderr).toContain('"owns_workspaces"');

  await world.posthorn.workspaces.delete({ name: "Shop" }, { workspaceId });
  const gone = await world.run("users", "delete", "ada@example.com", "--yes");
  expect(gone).toMatchObject({ code: 0 });
  expect(JSON.parse(gone.stdout)).toMatchObject({ id, email: "Ada@example.com" });
  expect((await world.posthorn.users.list({})).items).toEqual([]);
  expect(await lastEvent(world)).toMatchObject({ type: "user.deleted" });
});
