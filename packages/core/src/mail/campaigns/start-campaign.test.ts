import { expect, test, vi } from "vitest";
import {
  get,
  HOUR,
  make,
  openCampaignWorldForEach,
  own,
  subjects,
  world,
} from "../../../test/campaign-world.ts";

openCampaignWorldForEach();

/** Changes what the campaign says once another call has read it. */
function correctMeanwhile(spring: { campaignId: number }, over: object = {}): void {
  const { contents } = world.storage;
  const read = contents.find;
  vi.spyOn(contents, "find").mockImplementationOnce(async (id) => {
    const found = await read(id);
    await own().update({ ...spring, name: "Spring", subject: "Corrected", text: "Corrected", ...over });
    return found;
  });
}

test("a campaign that is changed while it starts sends what it says then", async () => {
  const spring = await make(1);
  correctMeanwhile(spring);
  await own().start(spring);
  await world.posthorn.drain();
  expect(subjects()).toEqual(["Corrected"]);
  expect((await get(spring)).status).toBe("completed");
});

test("a change of a scheduled campaign's other fields keeps what another change at the same time made it say", async () => {
  const scheduledAt = new Date(world.clock.now() + HOUR).toISOString();
  const spring = await make(1, { scheduledAt });
  await own().start(spring);
  correctMeanwhile(spring, { scheduledAt });
  await own().update({ ...spring, name: "Renamed", scheduledAt });
  world.clock.advance(HOUR);
  await world.posthorn.drain();
  expect(subjects()).toEqual(["Corrected"]);
  expect((await get(spring)).name).toBe("Renamed");
});
