import { expect, test } from "vitest";
import { add, asked, openServersForEach, parked } from "../../../../test/workspace-servers.ts";
import { workspace, world } from "../../../../test/world-for-each.ts";

openServersForEach();

test("a campaign whose last server is deleted goes on as soon as there is one", async () => {
  const relay = await add("relay");
  await world.posthorn.settings.update({ platformServer: false }, workspace.asOwner);
  const { id: campaignId } = await world.posthorn.campaigns.create(
    {
      name: "News",
      subject: "News",
      text: "Hi",
      from: "a@shop.example",
      unsubscribe: false,
      pace: { perSecond: 1 },
      recipients: [{ email: "ada@example.com" }, { email: "bob@example.com" }],
    },
    workspace.asOwner,
  );
  await world.posthorn.campaigns.start({ campaignId }, workspace.asOwner);
  await world.posthorn.drain();
  await world.posthorn.smtpServers.delete({ smtpServerId: relay.id }, workspace.asOwner);
  world.clock.advance(2000);
  await world.posthorn.drain();
  expect(asked).toEqual(["relay News"]);
  expect(await parked()).toMatchObject([
    { reason: expect.stringContaining("no mail server of the workspace") },
  ]);
  await add("another");
  await world.posthorn.drain();
  expect(asked).toEqual(["relay News", "another News"]);
});
