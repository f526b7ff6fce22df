import { createWorld } from "@posthorn/core/testing";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

test("a user's deletion waits for their change under way without either failing", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  const world = await createWorld(storage);
  const host = new pg.Client({ connectionString });
  await host.connect();
  onTestFinished(async () => {
    await host.end();
    await world.close();
    await giveBack();
  });
  const { id: workspaceId, addMember } = await world.addWorkspace();
  const { userId } = await addMember("editor");
  await host.query("begin");
  const within = storage.within(host);
  expect(await within.members.lockRole(workspaceId, userId)).toBe("editor");
  let isDeleted = false;
  const deleting = storage.users.delete(userId).then((was) => {
    isDeleted = true;
    return was;
  });
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
  await eventually(async () => isDeleted || (await runOnce(connectionString, waiting)).length > 0);
  // Had the deletion locked the user's row, one of the two would now be ended as a deadlock.
  await host.query("set local lock_timeout = '500ms'");
  const name = { scope: "*", addressKey: "ada@example.com" };
  const entry = { ...name, workspaceId, address: name.addressKey, origin: "manual", reason: "" } as const;
  const rest = { emailId: undefined, createdAt: 1, expiresAt: undefined };
  expect(await within.suppressions.put([{ ...entry, ...rest, createdBy: userId }], 1)).toEqual(["added"]);
  await host.query("commit");
  expect(await deleting).toBe(true);
  expect(await storage.suppressions.find(workspaceId, name, 2)).toMatchObject({ createdBy: undefined });
});
