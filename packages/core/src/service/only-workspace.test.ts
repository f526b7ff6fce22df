import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "../../../storage-sqlite/src/index.ts";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import {
  createMemoryMailer,
  createWorld,
  type TestWorkspace,
  type World,
  type WorldOptions,
} from "../testing/index.ts";
import { worldSecretKey } from "../testing/world.ts";
import { createPosthorn } from "./service.ts";

const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };

async function openWorld(workspace: WorldOptions["workspace"]): Promise<World> {
  const storage = await openTestSqlite();
  const world = await createWorld(storage, workspace === undefined ? {} : { workspace });
  onTestFinished(() => world.close());
  return world;
}

/** The world's service as a host with one workspace creates it: neither calls nor types ask for a workspace. */
const hostOf = ({ storage, mailer, clock }: World) => {
  const posthorn = createPosthorn({
    storage,
    mailer,
    clock,
    secretKey: worldSecretKey,
    defaultSender: "shop@example.com",
    workspace: { name: "Shop" },
  });
  onTestFinished(() => posthorn.close());
  return posthorn;
};

test("a host with one tenant names no workspace: it is created once, by the first process", async () => {
  const world = await openWorld(undefined);
  const services = [hostOf(world), hostOf(world), hostOf(world)];
  await Promise.all(services.map((each) => each.emails.send(mail)));
  const [posthorn] = services;
  expect((await posthorn?.emails.list())?.total).toBe(3);
  const { items } = await world.posthorn.workspaces.listAll({});
  expect(items).toMatchObject([{ name: "Shop", externalId: "only", isTrusted: true }]);
});

test("migrating creates it, and gives it the name of the options", async () => {
  const world = await openWorld(undefined);
  await world.posthorn.workspaces.ensure({ externalId: "only", name: "Before" });
  const posthorn = hostOf(world);
  await posthorn.migrate();
  expect(await posthorn.workspaces.get()).toMatchObject({ name: "Shop" });
});

test("views, users and keys use it too, and another can still be named", async () => {
  const world = await openWorld({ name: "Shop" });
  const { posthorn } = world;
  const other: TestWorkspace = await world.addWorkspace();
  const only = await posthorn.workspaces.ensure({ externalId: "only", name: "Shop" });
  const { userId } = await world.addUser();
  const as = await posthorn.findUser(userId);
  if (as === undefined) throw new Error("nobody");
  const host = hostOf(world);
  await expect(host.as(as).templates.list()).rejects.toMatchObject({ code: "not_a_member" });
  await host.members.ensure({ userId, role: "editor" });
  await host.as(as).templates.create({ name: "news", subject: "s", text: "t" });
  expect((await host.templates.list({}, { workspaceId: other.id })).total).toBe(0);
  expect((await host.templates.list({}, { workspaceId: only.id })).total).toBe(1);
  const { key } = await host.workspace(other.id).apiKeys.create({ name: "k" });
  const caller = await host.authenticateApiKey(key);
  if (caller === undefined) throw new Error("no key");
  await host.as(caller).emails.send(mail);
  expect((await host.emails.list()).total).toBe(0);
});

test("it can't be deleted, even if named by its id", async () => {
  const world = await openWorld({ name: "Shop" });
  for (const { posthorn } of [world, { posthorn: await givenByNumber() }])
    await expect(posthorn.workspaces.delete({ name: "Shop" }, undefined as never)).rejects.toMatchObject({
      code: "forbidden",
    });

  async function givenByNumber() {
    const { id } = await world.addWorkspace({ name: "Shop" });
    const { storage, mailer } = world;
    return createPosthorn({ storage, mailer, secretKey: worldSecretKey, workspace: { id } });
  }
});

test("with a host's in-memory database, it is found and created in the host's transaction", async () => {
  const database = new Database(":memory:");
  const storage = await createSqliteStorage({ database });
  await storage.migrate();
  const posthorn = createPosthorn({
    storage,
    mailer: createMemoryMailer(),
    secretKey: worldSecretKey,
    defaultSender: "shop@example.com",
    workspace: { name: "Shop" },
  });
  onTestFinished(() => posthorn.close());
  for (const end of ["rollback", "commit"]) {
    database.exec("begin immediate");
    await posthorn.emails.send(mail, { transaction: database });
    database.exec(end);
  }
  expect((await posthorn.emails.list()).total).toBe(1);
});

test("without the option, a call that names none is refused, and does not compile", async () => {
  const { posthorn } = await openWorld(undefined);
  // @ts-expect-error: no workspace is named
  await expect(posthorn.emails.send(mail)).rejects.toMatchObject({ code: "workspace_required" });
});

test.each([
  [{ name: "" }, "workspace.name must not be empty"],
  [{ name: "Shop", externalId: "a\nb" }, "workspace.externalId must be a single line"],
  [{ id: 0 }, "workspace.id must be a number from 1"],
])("%o is refused with the name of the option", async (workspace, message) => {
  await expect(openWorld(workspace)).rejects.toThrow(message);
});

test("calls about all workspaces still work", async () => {
  const world = await openWorld(undefined);
  const posthorn = hostOf(world);
  const other = await world.addWorkspace();
  await world.posthorn.emails.send(mail, { workspaceId: other.id });
  await posthorn.emails.send(mail);
  expect((await posthorn.emails.list()).total).toBe(1);
  expect((await posthorn.emails.list({}, { workspaceId: "all" })).total).toBe(2);
});
