import { expect, test, vi } from "vitest";
import { get, make, openCampaignWorldForEach, own, shop, world } from "../../../../test/campaign-world.ts";

openCampaignWorldForEach();

test("a recipient who is erased while the campaign is fed gets no e-mail, and the others one", async () => {
  const spring = await make(3);
  await own().start(spring);
  const { campaigns } = world.storage;
  const read = campaigns.recipientsAfter;
  vi.spyOn(campaigns, "recipientsAfter").mockImplementationOnce(async (...wanted) => {
    const found = await read(...wanted);
    await world.posthorn.workspace(shop.id).recipients.erase({ email: "person1@example.com" });
    await world.posthorn.drain();
    return found;
  });
  await world.posthorn.drain();
  expect(
    world.mailer.inbox
      .all()
      .flatMap(({ to }) => to.map(({ address }) => address))
      .toSorted(),
  ).toEqual(["person0@example.com", "person2@example.com"]);
  expect(await get(spring)).toMatchObject({
    recipients: 2,
    status: "completed",
    counts: { queued: 2, sent: 2 },
  });
});
