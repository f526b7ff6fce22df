import { createWorld } from "@posthorn/core/testing";
import { tableNames } from "@posthorn/storage-sql";
import { expect, test } from "vitest";
import { eventually } from "../test/eventually.ts";
import { openLockingWorld } from "../test/open-locking-world.ts";

/** Opens a world with a workspace, and a host's connection with an open transaction. */
async function openScene() {
  const { world, schema, finds, untilWaiting, openHost } = await openLockingWorld();
  const { id: workspaceId } = await world.addWorkspace();
  return {
    world,
    workspaceId,
    host: await openHost(),
    untilWaiting,
    async rowsNaming(text: string): Promise<string[]> {
      const found: string[] = [];
      for (const table of tableNames())
        if (await finds(`select from "${schema}"."${table}" as t where t::text like '%${text}%'`))
          found.push(table);
      return found;
    },
  };
}

test("a workspace's deletion waits for e-mails that are just being accepted, and leaves nothing of them", async () => {
  const { world, workspaceId, host, untilWaiting, rowsNaming } = await openScene();
  const email = { subject: "Hi", text: "Hello", to: ["vanishes@example.com"], tags: ["vanishes"] };
  await world.posthorn.emails.send(email, { workspaceId, transaction: host });
  const deleting = world.storage.workspaces.delete(workspaceId);
  await untilWaiting(deleting);
  await host.query("commit");
  await deleting;
  expect(await rowsNaming("vanishes")).toEqual([]);
});

test("a send that waits for its workspace's deletion is refused once that is gone", async () => {
  const { world, workspaceId, host, untilWaiting, rowsNaming } = await openScene();
  await world.storage.within(host).workspaces.delete(workspaceId);
  const email = { subject: "Hi", text: "Hello", to: ["vanishes@example.com"] };
  const sending = world.posthorn.emails.send(email, { workspaceId }).catch((error: unknown) => error);
  await untilWaiting();
  await host.query("commit");
  expect(await sending).toMatchObject({ code: "not_found" });
  expect(await rowsNaming("vanishes")).toEqual([]);
});

test.each([
  ["a workspace's deletion waits for a member's change without either failing", false],
  ["so does one for a change that locks the workspace first", true],
])("%s", async (_, locksWorkspace) => {
  const { world, workspaceId, host, untilWaiting } = await openScene();
  const owner = (await world.storage.members.list(workspaceId, 0, 99))[0]?.userId ?? 0;
  const within = world.storage.within(host);
  if (locksWorkspace) await within.workspaces.lock(workspaceId);
  else await within.members.lockRole(workspaceId, owner);
  const deleting = world.storage.workspaces.delete(workspaceId);
  await untilWaiting(deleting);
  // Had the deletion locked what this needs next, one of the two would now be ended as a deadlock.
  await host.query("set local lock_timeout = '500ms'");
  await within.members.lockRole(workspaceId, owner);
  await within.stylesheets.insert({ id: "s", workspaceId, name: "n", css: "", createdAt: 1 });
  await host.query("commit");
  await deleting;
  expect(await world.storage.stylesheets.find(workspaceId, "s")).toBeUndefined();
});

test("a workspace's deletion waits for an invitation that is just being accepted, and neither ends the other", async () => {
  const begun = { accepting: 0, deleting: 0 };
  let workspaceId = 0;
  let deleting: Promise<boolean> | undefined;
  const { storage, world, untilWaiting } = await openLockingWorld((storage) => ({
    ...storage,
    transaction: (work, holder) =>
      storage.transaction((repositories) => {
        const settle: typeof repositories.invitations.settle = async (...invitation) => {
          begun.accepting += 1;
          const isSettled = await repositories.invitations.settle(...invitation);
          deleting ??= storage.transaction(({ workspaces }) => {
            begun.deleting += 1;
            return workspaces.delete(workspaceId);
          });
          await untilWaiting(deleting);
          return isSettled;
        };
        const invitations = { ...repositories.invitations, settle };
        return work(Object.create(repositories, { invitations: { value: invitations } }));
      }, holder),
  }));
  ({ id: workspaceId } = await world.addWorkspace());
  const { email, userId } = await world.addUser();
  const { id } = await world.posthorn.invitations.create({ email, role: "editor" }, { workspaceId });
  const as = await world.posthorn.findUser(userId);
  if (as === undefined) throw new Error("there is no invitee");
  await expect(world.posthorn.invitations.acceptById({ id }, { as })).resolves.toMatchObject({ workspaceId });
  expect(await deleting).toBe(true);
  expect(begun).toEqual({ accepting: 1, deleting: 1 });
  expect(await storage.members.roleOf(workspaceId, userId)).toBeUndefined();
});

test("of two deletions at once by the owner, at two processes, one succeeds, and neither ends the other", async () => {
  let begun = 0;
  let under = 0;
  const { storage, world, isWaiting } = await openLockingWorld((storage) => ({
    ...storage,
    transaction: (work, holder) =>
      storage.transaction((repositories) => {
        begun += 1;
        const remove = async (id: number): Promise<boolean> => {
          under += 1;
          await eventually(async () => under === 2 || isWaiting());
          return await repositories.workspaces.delete(id);
        };
        const workspaces = { ...repositories.workspaces, delete: remove };
        return work(Object.create(repositories, { workspaces: { value: workspaces } }));
      }, holder),
  }));
  const { id: workspaceId } = await world.addWorkspace();
  const second = await createWorld({ ...world.storage, close: async () => {} }, { clock: world.clock });
  const [owner] = await storage.members.list(workspaceId, 0, 99);
  const as = await world.posthorn.findUser(owner?.userId ?? 0);
  const { name = "" } = (await storage.workspaces.find(workspaceId)) ?? {};
  if (as === undefined) throw new Error("there is no owner");
  begun = 0;
  const outcomes = await Promise.allSettled(
    [world, second].map(({ posthorn }) => posthorn.workspaces.delete({ name }, { as, workspaceId })),
  );
  await second.close();
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "not_found" },
  });
  expect(begun).toBe(2);
});
