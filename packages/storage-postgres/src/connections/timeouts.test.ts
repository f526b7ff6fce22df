import { type Storage, StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, untilAvailable } from "../../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried, withParameters } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

let connectionString = "";
let schema = "";
let giveBack: () => Promise<void>;
let workspaceId = 0;
beforeEach(async () => {
  ({ connectionString, schema, giveBack } = await takeTestSchema());
  const direct = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  workspaceId = (await direct.workspaces.insert({ name: "Acme", createdAt: 1 })).id;
  await direct.close();
});
afterEach(() => giveBack());

const open = async (timeouts: { statement: number } | { idleInTransaction: number }): Promise<Storage> =>
  untilAvailable(() =>
    createPostgresStorage({
      connectionString: withParameters(connectionString, { application_name: schema }),
      schema,
      timeouts: { ...unhurried, ...timeouts },
    }),
  );

test.each([
  [{ url: "postgres://127.0.0.1:1/a" }, /^there is no option url; the options are connectionString, pool, /],
  [{ timeouts: { idle: 1 } }, /^there is no option timeouts\.idle; the options are timeouts\.connect, /],
])("the unknown option in %o is refused by name", async (options, message) => {
  await expect(createPostgresStorage(options as object)).rejects.toThrow(message);
});

test("the server ends a statement that takes too long, and the transaction is not run again", async () => {
  const storage = await open({ statement: 250 });
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
  expect((await untilAvailable(() => storage.workspaces.find(workspaceId)))?.name).toBe("Acme");
  await storage.close();
});

test("the server ends an idle transaction after a time-out, and its locks are released", async () => {
  const storage = await open({ idleInTransaction: 250 });
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
  await storage.close();
});
