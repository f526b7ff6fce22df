import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";

/** Opens a world with a workspace that is deleted right before the next transaction. */
async function open() {
  const storage = await openTestSqlite();
  let gone: number | undefined;
  const world = await createWorld({
    ...storage,
    async transaction(work) {
      const id = gone;
      gone = undefined;
      if (id !== undefined) await storage.transaction(({ workspaces }) => workspaces.delete(id));
      return storage.transaction(work);
    },
  });
  onTestFinished(() => world.close());
  const { id } = await world.addWorkspace();
  const deleteNext = () => {
    gone = id;
  };
  return { world, id, deleteNext };
}

type Mail = ReturnType<Awaited<ReturnType<typeof open>>["world"]["posthorn"]["workspace"]>;

test.each<[string, (mail: Mail) => Promise<unknown>]>([
  ["campaigns.create", (mail) => mail.campaigns.create({ name: "c", subject: "s", text: "t" })],
  ["templates.create", (mail) => mail.templates.create({ name: "t", text: "x" })],
  ["suppressions.create", (mail) => mail.suppressions.create({ email: "ada@example.com" })],
  ["recipients.erase", (mail) => mail.recipients.erase({ email: "ada@example.com" })],
  ["invitations.create", (mail) => mail.invitations.create({ email: "ada@example.com", role: "viewer" })],
])("%s by the host finds no workspace that is deleted meanwhile", async (_, change) => {
  const { world, id, deleteNext } = await open();
  deleteNext();
  await expect(change(world.posthorn.workspace(id))).rejects.toMatchObject({ code: "not_found" });
});

test("nor does a person whose role the host's login assigns", async () => {
  const { world, id, deleteNext } = await open();
  await world.posthorn.users.ensure({ externalId: "ada", name: "Ada", email: "ada@example.com" });
  const admitted = await world.posthorn.admit({ externalId: "ada", workspace: id, role: "editor" });
  if (admitted === undefined) throw new Error("there is no such person");
  deleteNext();
  const change = world.posthorn.templates.create(
    { name: "t", text: "x" },
    { workspaceId: id, as: admitted.caller },
  );
  await expect(change).rejects.toMatchObject({ code: "not_found" });
});
