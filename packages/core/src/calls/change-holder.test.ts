import { expect, test, vi } from "vitest";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { useCases } from "../use-cases.ts";

openWorldForEach();

test("of equal changes at once that only one can make, two take a transaction", async () => {
  const { posthorn, storage } = world;
  const { asOwner } = workspace;
  const { id } = await posthorn.templates.create({ name: "order", subject: "x", text: "x" }, asOwner);
  const transaction = vi.spyOn(storage, "transaction");
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => posthorn.templates.delete({ templateId: id }, asOwner)),
  );
  expect(transaction).toHaveBeenCalledTimes(2);
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(99);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: "not_found" } });
});

test("equal deletions in pieces wait for each other before the first piece", async () => {
  const { posthorn, storage } = world;
  const { asOwner } = workspace;
  const webhook = { url: "https://hooks.example.com/", events: ["*" as const] };
  const { id: webhookId } = await posthorn.webhooks.create(webhook, asOwner);
  const removing = vi.spyOn(storage.webhookDeliveries, "removeSome");
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => posthorn.webhooks.delete({ webhookId }, asOwner)),
  );
  expect(removing).toHaveBeenCalledTimes(2);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a change is made for its workspace, its user, its client or the operator, and a send for nobody in particular", async () => {
  const { posthorn, storage } = world;
  const { asOwner } = workspace;
  const transaction = vi.spyOn(storage, "transaction");
  const holders = () => transaction.mock.calls.splice(0).map(([, holder]) => holder);
  await posthorn.templates.create({ name: "order", subject: "x", text: "x" }, asOwner);
  expect(holders()).toEqual([workspace.id]);
  await posthorn.users.updateMe({ name: "Ada" }, { as: workspace.owner });
  expect(holders()).toEqual([`user ${workspace.owner.userId}`]);
  const client = { ip: "2001:db8::1", userAgent: "" };
  await posthorn.execute(
    useCases.accounts.forgotPassword,
    { email: "ada@example.com" },
    { caller: { kind: "anonymous" }, client, workspaceId: undefined },
  );
  await posthorn.drain();
  expect(holders()[0]).toEqual("client 2001:db8:0:0::/64");
  await posthorn.workspaces.ensure({ externalId: "tenant-7", name: "Acme" });
  expect(holders()).toEqual(["operator"]);
  await posthorn.emails.send(
    { subject: "S", text: "T", to: ["ada@example.com"] },
    { workspaceId: workspace.id },
  );
  expect(holders()).toEqual([undefined]);
});
