import { expect, test, vi } from "vitest";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";

openWorldForEach();

test("a change is made for its workspace or its user, and a send for nobody in particular", async () => {
  const { posthorn, storage } = world;
  const { asOwner } = workspace;
  const transaction = vi.spyOn(storage, "transaction");
  const holders = () => transaction.mock.calls.splice(0).map(([, holder]) => holder);
  await posthorn.templates.create({ name: "order", subject: "x", text: "x" }, asOwner);
  expect(holders()).toEqual([workspace.id]);
  await posthorn.users.updateMe({ name: "Ada" }, { as: workspace.owner });
  expect(holders()).toEqual([`user ${workspace.owner.userId}`]);
  await posthorn.emails.send(
    { subject: "S", text: "T", to: ["ada@example.com"] },
    { workspaceId: workspace.id },
  );
  expect(holders()).toEqual([undefined]);
});
