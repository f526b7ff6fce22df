import { type Storage, StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried, withParameters } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

let connectionString = "";
let schema = "";
let giveBack: () => Promise<void>;
let storage: Storage;
let workspaceId = 0;
beforeEach(async () => {
  ({ connectionString, schema, giveBack } = await takeTestSchema());
  storage = await createPostgresStorage({
    connectionString: withParameters(connectionString, { application_name: schema }),
    schema,
    timeouts: { ...unhurried, statement: 250, idleInTransaction: 250 },
  });
  workspaceId = (await storage.workspaces.insert({ name: "Acme", createdAt: 1 })).id;
});
afterEach(async () => {
  await storage.close();
  await giveBack();
});

test.each([
  [{ url: "postgres://127.0.0.1:1/a" }, /^there is no option url; the options are connectionString, pool, /],
  [{ timeouts: { idle: 1 } }, /^there is no option timeouts\.idle; the options are timeouts\.connect, /],
])("the unknown option in %o is refused by name", async (options, message) => {
  await expect(createPostgresStorage(options as object)).rejects.toThrow(message);
});

test("the server ends a statement that takes too long, and the transaction is not run again", async () => {
  const host = new pg.Client({ connectionString });
  await host.connect();
  await host.query(`begin; select * from "${schema}".workspaces for update`);
  let runs = 0;
  const slow = storage.transaction(async ({ workspaces }) => {
    runs += 1;
    await workspaces.update(workspaceId, { name: "changed", updatedAt: 2 });
  });
  await expect(slow).rejects.toBeInstanceOf(StorageUnavailable);
  expect(runs).toBe(1);
  await host.end();
  expect((await storage.workspaces.find(workspaceId))?.name).toBe("Acme");
});

test("the server ends an idle transaction after a time-out, and its locks are released", async () => {
  const idle = storage.transaction(async ({ workspaces }) => {
    await workspaces.lock(workspaceId);
    await eventually(async () => {
      const held = await runOnce(
        connectionString,
        `select 1 from pg_stat_activity where application_name = '${schema}' and state like 'idle in transaction%'`,
      );
      return held.length === 0;
    });
    await workspaces.update(workspaceId, { name: "changed", updatedAt: 2 });
  });
  await expect(idle).rejects.toBeInstanceOf(StorageUnavailable);
  expect((await storage.workspaces.find(workspaceId))?.name).toBe("Acme");
});
