import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../../testing/index.ts";

test("webhooks with filters hear of an unsubscription also after its e-mail is removed, as its sender is unknown then", async () => {
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  const { id: workspaceId, asOwner } = await world.addWorkspace();
  const { emails, webhooks, unsubscriptions } = world.posthorn.workspace(workspaceId);
  const webhookFor = async (filter: string): Promise<string> => {
    const hook = { url: "https://hooks.example.com/", events: ["email.unsubscribed"], filters: [filter] };
    return (await world.posthorn.webhooks.create(hook, asOwner)).id;
  };
  const [matching, other] = [await webhookFor("@posthorn.example"), await webhookFor("@other.example")];
  const told = async () => {
    const totalOf = async (webhookId: string) => (await webhooks.listDeliveries({ webhookId })).total;
    return [await totalOf(matching), await totalOf(other)];
  };
  const tokens: string[] = [];
  for (const name of ["ada", "bob"]) {
    const to = [`${name}@example.com`];
    await emails.send({ subject: "News", text: "x", to, unsubscribe: { list: "news" } });
    await world.posthorn.drain();
    const link = world.mailer.inbox
      .all()
      .at(-1)
      ?.headers.find(({ name }) => name === "List-Unsubscribe");
    tokens.push(/\/u\/([^>]+)>$/.exec(link?.value ?? "")?.[1] ?? "");
  }
  const [token = "", gone = ""] = tokens;
  await unsubscriptions.create({ token });
  expect(await told()).toEqual([1, 0]);
  await world.storage.emails.deleteBefore(workspaceId, world.clock.now() + 1, 10);
  await unsubscriptions.create({ token: gone });
  expect(await told()).toEqual([2, 1]);
});
