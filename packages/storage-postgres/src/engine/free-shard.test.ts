import type { UsageRequest } from "@posthorn/core/storage";
import { expect, test } from "vitest";
import { runOnce, takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

test("open transactions that count the same thing do not wait for each other, and freed shards are reused", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const open = () => createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  const storages = [await open(), await open(), await open()] as const;
  const [first] = storages;
  const { id: workspaceId } = await first.workspaces.insert({ name: "busy", createdAt: 1 });
  const window = { start: 0, limit: 0 };
  const one: UsageRequest = { workspaceId, recipients: 1, hour: window, day: window };
  const all = Promise.withResolvers<void>();
  let counted = 0;
  const countAndStay = (storage: (typeof storages)[number]) =>
    storage.transaction(async ({ usage, workspaces }) => {
      await usage.count([one]);
      // Answered after the count, whose result nobody awaits.
      await workspaces.find(workspaceId);
      counted += 1;
      if (counted === 12) all.resolve();
      await all.promise;
    });
  await Promise.all(storages.flatMap((storage) => Array.from({ length: 4 }, () => countAndStay(storage))));
  for (const storage of storages) await storage.transaction(({ usage }) => usage.count([one]));
  expect(await first.usage.find(workspaceId, 0, 0)).toEqual({ hour: 15, day: 15 });
  const shards = await runOnce(
    connectionString,
    `select count(distinct shard)::int as count from "${schema}".usage`,
  );
  expect(shards).toEqual([{ count: 12 }]);
  for (const storage of storages) await storage.close();
  await giveBack();
});
