import { expect, test, vi } from "vitest";
import { get, make, openCampaignWorldForEach, own, subjects, world } from "../../../test/campaign-world.ts";

openCampaignWorldForEach();

test("a campaign that is changed while it starts sends what it says then", async () => {
  const spring = await make(1);
  const { contents } = world.storage;
  const read = contents.find;
  vi.spyOn(contents, "find").mockImplementationOnce(async (id) => {
    const found = await read(id);
    await own().update({ ...spring, name: "Spring", subject: "Corrected", text: "Corrected" });
    return found;
  });
  await own().start(spring);
  await world.posthorn.drain();
  expect(subjects()).toEqual(["Corrected"]);
  expect((await get(spring)).status).toBe("completed");
});
