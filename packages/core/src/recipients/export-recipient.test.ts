import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { searchedLogs } from "../ports/storage.ts";
import { createWorld } from "../testing/index.ts";

test("an export lets other work go on between the chunks of each log", async () => {
  const world = await createWorld(await openTestSqlite());
  const shop = await world.addWorkspace();
  const { content } = await world.posthorn.recipients.export(
    { email: "nobody@people.example" },
    shop.asOwner,
  );
  let turns = 0;
  let isRead = false;
  const next = () => {
    turns += 1;
    if (!isRead) setImmediate(next);
  };
  setImmediate(next);
  for await (const chunk of content) expect(chunk).toBeUndefined();
  isRead = true;
  expect(turns).toBeGreaterThanOrEqual(searchedLogs.length);
  await world.close();
});
