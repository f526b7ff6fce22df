import { afterEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { UserCaller } from "../../calls/caller.ts";
import type { Registration } from "../../service/options.ts";
import { createWorld, type TestWorkspace, type World } from "../../testing/index.ts";

const ada = { name: "Ada", email: "ada@example.com", password: "the engine weaves algebra" };
const anonymous = { as: { kind: "anonymous" }, client: { ip: "192.0.2.1" } } as const;

let world: World;
afterEach(() => world.close());

async function begin(registration?: Registration): Promise<TestWorkspace> {
  world = await createWorld(await openTestSqlite(), {
    ...(registration === undefined ? {} : { registration }),
  });
  return world.addWorkspace({ name: "Shop" });
}

async function invite(workspace: TestWorkspace, email = ada.email): Promise<string> {
  await world.posthorn.invitations.create({ email, role: "admin" }, workspace.asOwner);
  await world.posthorn.drain();
  const mail = world.mailer.inbox.find({ to: email });
  return /\?token=([\w-]{43})/.exec(mail?.text ?? "")?.[1] ?? "";
}

const register = (more: object = {}) => world.posthorn.accounts.register({ ...ada, ...more }, anonymous);

/** Logs a user in and returns a caller with a session, as requests have. */
async function logIn(): Promise<UserCaller> {
  const { token } = await world.posthorn.accounts.login(
    { email: ada.email, password: ada.password },
    anonymous,
  );
  const caller = await world.posthorn.authenticateUser(token);
  if (caller === undefined) throw new Error("the token is refused");
  return caller;
}

/** Sends an e-mail from the workspace; returns whether it is accepted, or the reason for the refusal. */
async function send(workspaceId: number): Promise<string> {
  const mail = { to: ["grace@example.com"], subject: "Hello", text: "Hello" };
  return await world.posthorn.emails.send(mail, { workspaceId }).then(
    ({ status }) => status,
    ({ code }: { code: string }) => code,
  );
}

describe("registration by invitation, which is the default", () => {
  test("accepts an account with an invitation's token, which verifies its address", async () => {
    const workspace = await begin();
    await expect(register()).rejects.toMatchObject({ code: "invitation_required" });
    const invitationToken = await invite(workspace);
    const user = await register({ invitationToken });
    expect(user).toMatchObject({ email: ada.email, emailVerified: true });
    const caller = await logIn();
    await world.posthorn.invitations.accept({ token: invitationToken }, { as: caller });
    expect(await world.storage.members.roleOf(workspace.id, user.id)).toBe("admin");
    await world.posthorn.drain();
    expect(world.mailer.inbox.find({ to: ada.email, subject: /Verify/ })).toBeUndefined();
    const { items } = await world.posthorn.auditLog.listMine({}, { as: caller });
    expect(items.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["user.registered", "user.email_verified"]),
    );
  });

  test("refuses tokens that are unknown, for another address, expired, or used", async () => {
    const workspace = await begin();
    const invitationToken = await invite(workspace);
    await expect(register({ invitationToken: "guessed" })).rejects.toMatchObject({
      details: [expect.objectContaining({ path: "invitationToken" })],
    });
    await expect(register({ invitationToken, email: "eve@example.com" })).rejects.toMatchObject({
      code: "invitation_for_another_user",
    });
    const guest = await world.addUser({ email: "guest@example.com" });
    const declined = await invite(workspace, "guest@example.com");
    await world.posthorn.invitations.decline({ token: declined }, { as: guest });
    await expect(register({ invitationToken: declined, email: "Guest@example.com" })).rejects.toMatchObject({
      code: "invitation_not_pending",
    });
    world.clock.advance(7 * 24 * 3_600_000);
    await expect(register({ invitationToken })).rejects.toMatchObject({ code: "invitation_expired" });
  });

  test("refuses a registration without a token before anything is hashed or counted", async () => {
    await begin();
    for (let attempt = 0; attempt < 12; attempt++)
      await expect(register()).rejects.toMatchObject({ code: "invitation_required" });
    expect((await world.storage.guards.reserve("registrations:client:192.0.2.1", 1, 1, 0)).allowed).toBe(
      true,
    );
  });

  test("trusts workspaces of users invited by a trusted workspace, and no others", async () => {
    const workspace = await begin();
    await register({ invitationToken: await invite(workspace) });
    const own = await world.posthorn.workspaces.create({ name: "Own" }, { as: await logIn() });
    expect(await send(own.id)).toBe("queued");
  });

  test("an untrusted workspace's invitation makes nobody trusted", async () => {
    const workspace = await begin();
    await world.posthorn.workspaces.distrust({ workspaceId: workspace.id });
    await register({ invitationToken: await invite(workspace) });
    const own = await world.posthorn.workspaces.create({ name: "Own" }, { as: await logIn() });
    expect(await send(own.id)).toBe("workspace_not_trusted");
  });
});

test("a closed registration refuses everybody, invited or not; the host and the operator can still create accounts", async () => {
  const workspace = await begin("closed");
  const invitationToken = await invite(workspace);
  await expect(register({ invitationToken })).rejects.toMatchObject({ code: "registration_closed" });
  await expect(world.posthorn.accounts.register(ada)).resolves.toMatchObject({ emailVerified: false });
});

describe("with open registration", () => {
  test("a workspace sends once its owner is verified and it is trusted", async () => {
    await begin("open");
    const { id: userId } = await register();
    const caller = await logIn();
    const { id: workspaceId } = await world.posthorn.workspaces.create({ name: "Own" }, { as: caller });
    await expect(
      world.posthorn.apiKeys.create({ name: "key" }, { as: caller, workspaceId }),
    ).rejects.toMatchObject({ code: "email_not_verified" });
    expect(await send(workspaceId)).toBe("email_not_verified");
    await world.storage.users.update(userId, { emailVerifiedAt: world.clock.now() });
    await world.posthorn.apiKeys.create({ name: "key" }, { as: caller, workspaceId });
    expect(await send(workspaceId)).toBe("workspace_not_trusted");
    await expect(world.posthorn.workspaces.trust({ workspaceId }, { as: caller })).rejects.toMatchObject({
      code: "administrator_required",
    });
    expect(await world.posthorn.workspaces.trust({ workspaceId })).toMatchObject({ isTrusted: true });
    expect(await send(workspaceId)).toBe("queued");
    await world.posthorn.workspaces.distrust({ workspaceId });
    expect(await send(workspaceId)).toBe("workspace_not_trusted");
    const { items } = await world.storage.events.list({ workspaceId }, { offset: 0, limit: 9 });
    expect(items.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["workspace.trusted", "workspace.distrusted"]),
    );
  });

  test("an invitation makes nobody trusted: strangers could send it to themselves", async () => {
    const workspace = await begin("open");
    await register({ invitationToken: await invite(workspace) });
    const own = await world.posthorn.workspaces.create({ name: "Own" }, { as: await logIn() });
    expect(await send(own.id)).toBe("workspace_not_trusted");
  });

  test("nor does it later, when registration is by invitation", async () => {
    const storage = await openTestSqlite();
    world = await createWorld(storage, { registration: "open" });
    const workspace = await world.addWorkspace({ name: "Shop" });
    await register({ invitationToken: await invite(workspace) });
    // Without the world, which would close the storage, too.
    await world.posthorn.close();
    world = await createWorld(storage, { registration: "invited" });
    const own = await world.posthorn.workspaces.create({ name: "Own" }, { as: await logIn() });
    expect(await send(own.id)).toBe("workspace_not_trusted");
  });

  test("workspaces created by the host, an administrator or the operator are trusted", async () => {
    await begin("open");
    const { posthorn } = world;
    await register();
    const caller = await logIn();
    await world.storage.users.update(caller.userId, { emailVerifiedAt: 1 });
    const made = [
      await posthorn.workspaces.createFor({ name: "A", userId: caller.userId }),
      await posthorn.workspaces.create({ name: "B" }, { as: { ...caller, sessionId: undefined } }),
    ];
    await posthorn.users.promote({ userId: caller.userId });
    made.push(await posthorn.workspaces.create({ name: "C" }, { as: caller }));
    expect(await Promise.all(made.map(({ id }) => send(id)))).toEqual(["queued", "queued", "queued"]);
  });
});

test("ownership goes to members with a verified address only", async () => {
  const workspace = await begin();
  const heir = await world.addUser({ verified: false });
  const membership = { workspaceId: workspace.id, userId: heir.userId, role: "admin", createdAt: 1 } as const;
  await world.storage.members.insert(membership);
  await expect(
    world.posthorn.workspaces.transferOwnership({ userId: heir.userId }, workspace.asOwner),
  ).rejects.toMatchObject({ code: "email_not_verified" });
});
