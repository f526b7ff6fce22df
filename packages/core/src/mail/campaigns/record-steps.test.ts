import { expect, test } from "vitest";
import {
  get,
  HOUR,
  make,
  openCampaignWorldForEach,
  own,
  shop,
  subjects,
  world,
} from "../../../test/campaign-world.ts";

openCampaignWorldForEach();

test("a campaign sends what an hourly and a daily limit allow together", async () => {
  const plan = await world.posthorn.plans.create({ name: "Small", hourlyRateLimit: 10, dailyRateLimit: 25 });
  await world.posthorn.plans.assignToWorkspace({ workspaceId: shop.id, planId: plan.id });
  // The world's clock begins at noon.
  const spring = await make(40);
  await own().start(spring);
  const sent: number[] = [];
  for (let hour = 0; hour < 14; hour += 1) {
    await world.posthorn.drain();
    sent.push(subjects().length);
    world.clock.advance(HOUR);
  }
  expect(sent).toEqual([10, 20, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 35, 40]);
  await world.posthorn.drain();
  expect(await get(spring)).toMatchObject({ status: "completed", counts: { sent: 40, skipped: 0 } });
});

test("recipients who are skipped leave no gaps in a campaign's pace, nor are others sent twice as fast behind them", async () => {
  const { suppressions } = world.posthorn.workspace(shop.id);
  for (let n = 0; n < 30; n += 1) await suppressions.create({ email: `person${n}@example.com` });
  const spring = await make(150, { pace: { perSecond: 1 } });
  await own().start(spring);
  const sent: number[] = [];
  for (let second = 0; second < 110; second += 1) {
    await world.posthorn.drain();
    sent.push(subjects().length);
    world.clock.advance(1_000);
  }
  expect(sent).toEqual(sent.map((_, second) => second + 1));
});
