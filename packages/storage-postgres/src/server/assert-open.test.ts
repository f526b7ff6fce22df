import { StorageUnavailable } from "@posthorn/core";
import { expect, onTestFinished, test } from "vitest";
import { runOnce, takeTestSchema, unhurried, withParameters } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

test("a database that takes no writes is not ready, nor is a start on it, also where nothing is to migrate", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  onTestFinished(giveBack);
  const open = async (url: string) => {
    const storage = await createPostgresStorage({ connectionString: url, schema, timeouts: unhurried });
    onTestFinished(() => storage.close());
    return storage;
  };
  await (await open(connectionString)).ping();
  const options = "-c default_transaction_read_only=on";
  const readOnly = await open(withParameters(connectionString, { options }));
  expect(await readOnly.plans.list()).toBeDefined();
  await expect(readOnly.ping()).rejects.toThrow(StorageUnavailable);
  await expect(readOnly.migrate()).rejects.toThrow(new StorageUnavailable("PostgreSQL takes no writes"));
});

test("a database whose tables are away for a while, as during a restore, is unavailable, not at fault", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  onTestFinished(giveBack);
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  onTestFinished(() => storage.close());
  await storage.ping();
  const read = () => storage.plans.list();
  const away = `${schema}_away`;
  await runOnce(connectionString, `alter schema "${schema}" rename to "${away}"`);
  try {
    for (const work of [storage.ping, read]) {
      await expect(work()).rejects.toThrow(StorageUnavailable);
      await expect(work()).rejects.toThrow("a table of Posthorn is missing: call migrate()");
    }
  } finally {
    await runOnce(connectionString, `alter schema "${away}" rename to "${schema}"`);
  }
  await storage.ping();
  expect(await read()).toBeDefined();
});
