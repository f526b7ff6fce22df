import { StorageUnavailable } from "@posthorn/core";
import { expect, onTestFinished, test } from "vitest";
import { takeTestSchema, unhurried, withParameters } from "../../test/open-test-storage.ts";
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
