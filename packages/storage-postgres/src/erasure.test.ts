import { answerAll, createWorld } from "@posthorn/core/testing";
import { sideOf, tableNames } from "@posthorn/storage-sql";
import { expect, onTestFinished, test } from "vitest";
import { openTestPostgres } from "../test/open-test-storage.ts";

const ada = "ada.lovelace@people.example";

test("an erased recipient is in no row of any table", async () => {
  const storage = await openTestPostgres();
  const world = await createWorld(storage);
  onTestFinished(() => world.close());
  const { posthorn, mailer } = world;
  const shop = await world.addWorkspace();
  const { db } = sideOf(storage);
  const tablesNaming = async (text: string): Promise<string[]> => {
    const found: string[] = [];
    for (const table of tableNames()) {
      const rows = await db.selectFrom(table).selectAll().execute();
      if (JSON.stringify(rows).toLowerCase().includes(text)) found.push(table);
    }
    return found;
  };
  await posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["*"] }, shop.asOwner);
  const send = (over: object) =>
    posthorn.emails.send(
      { subject: "For Ada Lovelace", text: `Dear ${ada}`, to: [`Ada Lovelace <${ada}>`], ...over },
      { workspaceId: shop.id },
    );
  await send({ subject: "News", to: [ada, "bob@others.example"], dedupeKey: `welcome:${ada}` });
  await send({ scheduledAt: new Date(world.clock.now() + 3_600_000).toISOString() });
  mailer.answerWith(answerAll("refused", 550, `550 5.1.1 <${ada}>: user unknown`));
  await send({ idempotencyKey: `for-${ada}-1`, metadata: { who: ada } });
  await posthorn.drain();
  expect((await tablesNaming("lovelace")).length).toBeGreaterThan(8);

  expect(await posthorn.recipients.erase({ email: ada }, shop.asOwner)).toMatchObject({ emails: 3 });
  await posthorn.drain();
  expect(await tablesNaming("lovelace")).toEqual([]);
  const check = await posthorn.suppressions.check({ emails: [ada] }, shop.asOwner);
  expect(check).toMatchObject([{ suppressed: true, origin: "bounce" }]);
});
