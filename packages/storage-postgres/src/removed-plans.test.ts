import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

test("a plan that is just being assigned is deleted by force, and unassigned", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  const world = await createWorld(storage);
  onTestFinished(async () => {
    await world.close();
    await giveBack();
  });
  const { posthorn } = world;
  const admin = { as: await world.addUser({ admin: true, email: "admin@example.com" }) };
  const { id: workspaceId } = await world.addWorkspace();
  const { id: planId } = await posthorn.plans.create({ name: "Pro" }, admin);
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
  let deleting: Promise<unknown> | undefined;
  await storage.transaction(async ({ plans, workspaces }) => {
    await plans.lock(planId);
    await workspaces.update(workspaceId, { planId, updatedAt: world.clock.now() });
    deleting ??= posthorn.plans.delete({ planId, force: true }, admin);
    await eventually(async () => (await runOnce(connectionString, waiting)).length > 0);
  });
  await deleting;
  expect(await storage.plans.find(planId)).toBeUndefined();
  expect((await storage.workspaces.find(workspaceId))?.planId).toBeUndefined();
});
