import { expect, test } from "vitest";
import { database, openDatabaseForEach, send, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

const words = { subject: "Hello 4711", tags: ["for-7"], metadata: { order: "4711" } };

test("an erasure takes the words of an e-mail from its webhook deliveries only if the person alone got it", async () => {
  const url = "https://hooks.example.com/";
  await world.posthorn.webhooks.create({ url, events: ["email.sent"] }, workspace.asOwner);
  for (const to of [["ada@example.com"], ["ada@example.com", "bob@example.com"], ["bob@example.com"]])
    await send({ to });
  await world.posthorn.drain();
  // Here, a payload has an e-mail's id alone; over HTTP, its words, too.
  database
    .prepare("update posthorn_webhook_deliveries set payload = json_set(payload, '$.data', json(?))")
    .run(JSON.stringify(words));
  const payloads = () =>
    database
      .prepare<[], { payload: string }>("select payload from posthorn_webhook_deliveries order by email_id")
      .all()
      .map(({ payload }) => JSON.parse(payload).data);
  expect(payloads()).toEqual([words, words, words]);
  await world.posthorn.recipients.erase({ email: "ada@example.com" }, workspace.asOwner);
  await world.posthorn.drain();
  expect(payloads()).toEqual([{ subject: "(erased)", tags: [], metadata: {} }, words, words]);
});
