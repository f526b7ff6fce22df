import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { answerAll } from "../../testing/memory-mailer.ts";
import { createWorld, type TestWorkspace, type World } from "../../testing/world.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let world: World;
let shop: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  shop = await world.addWorkspace({ name: "Shop" });
});
afterEach(() => world.close());

const own = () => world.posthorn.workspace(shop.id).campaigns;
const begin = async (count: number, plan: object = {}) => {
  const recipients = Array.from({ length: count }, (_, n) => ({ to: `person${n}@example.com` }));
  const { id: campaignId } = await own().create({
    name: "Spring",
    subject: "x",
    text: "x",
    recipients,
    ...plan,
  });
  await own().start({ campaignId });
  return { campaignId };
};
/** Delivers what falls due within so many seconds, second by second; returns the number of delivered messages. */
const sentAfter = async (seconds: number): Promise<number> => {
  await world.posthorn.drain();
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(SECOND);
    await world.posthorn.drain();
  }
  return world.mailer.inbox.all().length;
};
const statusOf = async (campaign: { campaignId: number }) => {
  const { status, pausedReason } = await own().get(campaign);
  return [status, pausedReason];
};

test("continues at its pace after a pause: e-mails due meanwhile are not all sent at once", async () => {
  const spring = await begin(100, { pace: { perSecond: 1 } });
  const before = await sentAfter(3);
  await own().pause(spring);
  world.clock.advance(HOUR);
  expect(await sentAfter(0)).toBe(before);
  await own().resume(spring);
  const after = await sentAfter(10);
  expect(after - before).toBeGreaterThanOrEqual(9);
  expect(after - before).toBeLessThanOrEqual(12);
});

test("a ramp does not grow during a pause", async () => {
  const spring = await begin(400, { ramp: { first: 60, factor: 10, every: "hour" } });
  await sentAfter(0);
  await own().pause(spring);
  world.clock.advance(9 * HOUR);
  await own().resume(spring);
  const before = await sentAfter(0);
  // 60 an hour is one a minute.
  for (let minute = 0; minute < 10; minute += 1) {
    world.clock.advance(60 * SECOND);
    await world.posthorn.drain();
  }
  expect((await sentAfter(0)) - before).toBeLessThanOrEqual(12);
});

test("a campaign paused for bounces continues when resumed, and is judged by later bounces only", async () => {
  world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 no such user"));
  const spring = await begin(100, { autoPause: { after: 10 }, pace: { perSecond: 1 } });
  await sentAfter(11);
  expect(await statusOf(spring)).toEqual(["paused", "bounce_rate"]);
  world.mailer.answerWith();
  await own().resume(spring);
  await sentAfter(20);
  expect(await statusOf(spring)).toEqual(["running", undefined]);
  world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 no such user"));
  await sentAfter(12);
  expect(await statusOf(spring)).toEqual(["paused", "bounce_rate"]);
});

test("a campaign stopped by a missing value continues without recipients that lack it", async () => {
  const recipients = [
    { to: "ada@example.com", templateData: { name: "Ada" } },
    { to: "nobody@example.com" },
    { to: "eve@example.com", templateData: { name: "Eve" } },
  ];
  const spring = await begin(0, { subject: "{{name}}", recipients, onMissing: "stop" });
  await sentAfter(1);
  expect(await statusOf(spring)).toEqual(["paused", "template_data_missing"]);
  await own().resume(spring);
  expect(await sentAfter(1)).toBe(1);
  expect(await statusOf(spring)).toEqual(["paused", "template_data_missing"]);
  await own().resume({ ...spring, onMissing: "skip" });
  expect(await sentAfter(1)).toBe(2);
  expect(await own().get(spring)).toMatchObject({
    status: "completed",
    onMissing: "skip",
    counts: { skipped: 1 },
  });
});

test("a campaign that missed its start tells of its start when it is resumed", async () => {
  const { posthorn, clock, http } = world;
  await posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["campaign.started", "campaign.completed"] },
    shop.asOwner,
  );
  const scheduledAt = new Date(clock.now() + HOUR).toISOString();
  const spring = await begin(1, { scheduledAt });
  clock.advance(30 * HOUR);
  await sentAfter(0);
  expect(await statusOf(spring)).toEqual(["paused", "missed_schedule"]);
  await own().resume(spring);
  await sentAfter(1);
  expect(http.posts.map(({ body }) => JSON.parse(body).event)).toEqual([
    "campaign.started",
    "campaign.completed",
  ]);
});
