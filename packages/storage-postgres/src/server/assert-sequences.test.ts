import { incompleteCopyFact } from "@posthorn/core/storage";
import { expect, onTestFinished, test } from "vitest";
import { runOnce, takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../index.ts";

test("rows that came without their sequences, as by logical replication, are not started on until these are moved", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  onTestFinished(giveBack);
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  onTestFinished(() => storage.close());
  const add = () => storage.workspaces.insert({ name: "Shop", createdAt: 1 });
  const { id } = await add();
  expect(await storage.migrate()).toEqual([]);
  await runOnce(connectionString, `alter sequence "${schema}".workspaces_id_seq restart`);
  await expect(storage.migrate()).rejects.toMatchObject({
    name: "StorageUnsuited",
    message: expect.stringContaining(
      `the sequence ${schema}.workspaces_id_seq stands below ids that its table has`,
    ),
  });
  // As a script may set it: the next id is this one.
  await runOnce(connectionString, `alter sequence "${schema}".workspaces_id_seq restart with ${id + 1}`);
  expect(await storage.migrate()).toEqual([]);
  await runOnce(connectionString, `alter sequence "${schema}".workspaces_id_seq restart with ${id}`);
  await expect(storage.migrate()).rejects.toThrow("stands below ids that its table has");
  // A copy that is continued sets them at its end.
  await storage.operations.replaceFact(incompleteCopyFact, "true");
  expect(await storage.migrate()).toEqual([]);
  await storage.operations.forgetFact(incompleteCopyFact);
  await storage.operations.skipIds();
  expect(await storage.migrate()).toEqual([]);
  expect((await add()).id).toBeGreaterThan(id);
});
