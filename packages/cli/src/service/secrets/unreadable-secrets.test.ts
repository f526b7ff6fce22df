import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { findUnreadableSecrets } from "./unreadable-secrets.ts";

test("secrets that another key sealed are counted by kind, with what to do about the first", async () => {
  const secretKey = "the key of this database, 4711 and 0815";
  const { posthorn, storage, addWorkspace, close } = await createWorld(await openTestSqlite(), { secretKey });
  onTestFinished(close);
  const { id, asOwner } = await addWorkspace();
  const [first] = [
    await posthorn.inboundEndpoints.create({ provider: "generic" }, asOwner),
    await posthorn.inboundEndpoints.create({ provider: "generic" }, asOwner),
  ];
  await posthorn.domains.create({ name: "shop.example" }, asOwner);
  expect(await findUnreadableSecrets(storage, secretKey)).toEqual([]);
  expect(await findUnreadableSecrets(storage, `${secretKey}, replaced`)).toEqual([
    {
      found: `another key sealed the secret of 2 inbound endpoints (the first is generic of workspace ${id}): its calls are answered 503`,
      advice: `Remove it: posthorn inbound-endpoints delete ${first.id} --workspace ${id}; and add another: posthorn inbound-endpoints create generic --workspace ${id}`,
    },
    {
      found: `another key sealed the signing key of 1 domain (shop.example of workspace ${id}): mail from there is deferred`,
      advice: `Remove it: posthorn domains remove shop.example --workspace ${id}; and add it again: posthorn domains add shop.example --workspace ${id}`,
    },
  ]);
});
