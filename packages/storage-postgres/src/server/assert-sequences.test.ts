import { incompleteCopyFact } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { runOnce, takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../index.ts";
import { assertSequences } from "./assert-sequences.ts";

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

test("a copy that ends during the check is no fault", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  onTestFinished(giveBack);
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  onTestFinished(() => storage.close());
  const { id } = await storage.workspaces.insert({ name: "Shop", createdAt: 1 });
  await storage.operations.replaceFact(incompleteCopyFact, "true");
  const copy = new pg.Client({ connectionString });
  await copy.connect();
  onTestFinished(() => copy.end());
  await copy.query(`alter sequence "${schema}".workspaces_id_seq restart`);
  await copy.query(`begin; set local search_path to "${schema}"; lock table facts in access exclusive mode`);
  const checked = expect(assertSequences(sideOf(storage).db, schema)).resolves.toBeUndefined();
  await vi.waitFor(
    async () => {
      const text = "select 1 from pg_locks where relation = 'facts'::regclass and not granted";
      expect((await copy.query(text)).rows).not.toEqual([]);
    },
    { timeout: 60_000 },
  );
  await copy.query("select setval('workspaces_id_seq', $1)", [id]);
  await copy.query(`delete from facts where name = '${incompleteCopyFact}'`);
  await copy.query("commit");
  await checked;
});
