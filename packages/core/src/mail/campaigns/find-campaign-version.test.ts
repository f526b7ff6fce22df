import { expect, test } from "vitest";
import { eventsOf, openCampaignWorldForEach, own, shop, world } from "../../../test/campaign-world.ts";

openCampaignWorldForEach();

const add = (name: string) =>
  world.posthorn.templates.create({ name, subject: "Hi", text: "x" }, shop.asOwner);

test("a campaign is created and changed only with a template, and a version of it, that exist", async () => {
  const absent = { name: "Spring", template: "nowhere" };
  const refusal = { code: "not_found", details: { template: "nowhere" } };
  await expect(own().create(absent)).rejects.toMatchObject(refusal);
  const [news, other] = [await add("news"), await add("other")];
  const foreign = { name: "Spring", template: "news", templateVersionId: other.activeVersionId };
  await expect(own().create(foreign)).rejects.toThrow("has no such version");
  expect([(await own().list()).total, await eventsOf("campaign.created")]).toEqual([0, []]);
  const { id: campaignId } = await own().create({ ...foreign, templateVersionId: news.activeVersionId });
  await expect(own().update({ ...absent, campaignId })).rejects.toMatchObject(refusal);
  await expect(own().update({ ...foreign, campaignId })).rejects.toThrow("has no such version");
  expect((await own().get({ campaignId })).template).toBe("news");
});

test("a campaign whose template was deleted is refused at its start, and keeps its other fields changeable", async () => {
  const { id: templateId } = await add("news");
  const recipients = [{ to: "ada@example.com" }];
  const { id: campaignId } = await own().create({ name: "Spring", template: "news", recipients });
  await world.posthorn.templates.delete({ templateId }, shop.asOwner);
  await expect(own().start({ campaignId })).rejects.toMatchObject({ code: "not_found" });
  expect(await own().update({ campaignId, name: "Summer" })).toMatchObject({
    name: "Summer",
    template: "news",
  });
});
