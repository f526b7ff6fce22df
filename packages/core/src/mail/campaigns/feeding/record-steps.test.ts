import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../../storage-sqlite/test/open-test-sqlite.ts";
import {
  get,
  HOUR,
  make,
  openCampaignWorldForEach,
  own,
  people,
  shop,
  subjects,
  world,
} from "../../../../test/campaign-world.ts";
import { createFixedClock } from "../../../testing/fixed-clock.ts";
import { createWorld } from "../../../testing/world.ts";

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

test("a machine whose clock is behind the database's waits for a limit, instead of asking again and again", async () => {
  const database = createFixedClock();
  const storage = { ...(await openTestSqlite()), now: async () => database.now() };
  const behind = createFixedClock(database.now() - HOUR);
  const slow = await createWorld(storage, { databaseClock: "own", clock: behind });
  onTestFinished(() => slow.close());
  const { id: workspaceId } = await slow.addWorkspace({ name: "Shop" });
  const plan = await slow.posthorn.plans.create({ name: "Small", hourlyRateLimit: 10 });
  await slow.posthorn.plans.assignToWorkspace({ workspaceId, planId: plan.id });
  const { campaigns } = slow.posthorn.workspace(workspaceId);
  const { id } = await campaigns.create({
    name: "Spring",
    subject: "Hello",
    text: "Hello",
    recipients: people(40),
  });
  await campaigns.start({ campaignId: id });
  await slow.posthorn.drain();
  expect(slow.mailer.inbox.all()).toHaveLength(10);
  expect(await slow.storage.campaigns.nextLookAt()).toBe(database.now() + 60_000);
});
