import { describe, expect, test } from "vitest";
import {
  eventsOf,
  get,
  HOUR,
  make,
  openCampaignWorldForEach,
  own,
  SECOND,
  shop,
  subjects,
  world,
} from "../../../test/campaign-world.ts";
import { acceptAll, answerAll } from "../../testing/memory-mailer.ts";
import { campaignRoute } from "../rules/routes.ts";

openCampaignWorldForEach();

test("cancelling it also ends an e-mail that may have been sent, once, and reports no other", async () => {
  world.mailer.answerWith((message) => ({
    ...answerAll("deferred", 450, "no answer")(message),
    inDoubt: true,
  }));
  const spring = await make(1);
  await own().start(spring);
  await world.posthorn.drain();
  await own().cancel(spring);
  await world.posthorn.drain();
  world.clock.advance(HOUR);
  await world.posthorn.drain();
  expect(await eventsOf("email.cancelled")).toHaveLength(1);
  expect(await get(spring)).toMatchObject({
    status: "cancelled",
    counts: { queued: 1, cancelled: 1, sent: 0 },
  });
  const { items } = await world.posthorn.emails.list({}, { workspaceId: shop.id });
  expect(items.map(({ status }) => status)).toEqual(["cancelled"]);
});

describe("pausing and cancelling", () => {
  test("a paused campaign sends nothing, waiting e-mails included, and continues where it stopped", async () => {
    const spring = await make(30, { pace: { perSecond: 1 } });
    await own().start(spring);
    await world.posthorn.drain();
    const before = subjects().length;
    expect(before).toBeGreaterThan(0);
    expect((await own().pause(spring)).status).toBe("paused");
    await expect(own().pause(spring)).rejects.toMatchObject({ code: "campaign_state_conflict" });
    world.clock.advance(60 * SECOND);
    await world.posthorn.drain();
    expect(subjects()).toHaveLength(before);
    await own().resume(spring);
    await world.posthorn.drain();
    world.clock.advance(60 * SECOND);
    await world.posthorn.drain();
    expect(new Set(subjects()).size).toBe(30);
    expect(subjects()).toHaveLength(30);
    expect((await get(spring)).status).toBe("completed");
  });

  test("a pause holds back e-mails that a worker has claimed, without an attempt", async () => {
    const { mailer } = world;
    const spring = await make(200);
    await own().start(spring);
    let pausing: Promise<unknown> | undefined;
    mailer.answerWith(async (message) => {
      pausing ??= own()
        .pause(spring)
        .then(() => world.clock.advance(SECOND));
      await pausing;
      return acceptAll(message);
    });
    world.posthorn.start();
    const inHand = async () => (await world.posthorn.queueStatus()).leased;
    const isQuiet = async () => (await inHand()) === 0 && subjects().length > 0;
    await expect.poll(isQuiet).toBe(true);
    await world.posthorn.stop();
    // E-mails in transmission were delivered; the rest of the claimed ones returned to the queue.
    expect(subjects().length).toBeLessThan(150);
    const { total } = await world.posthorn.workspace(shop.id).emails.list({ status: "queued" });
    expect(total).toBe(200 - subjects().length);
    mailer.answerWith();
    await own().resume(spring);
    await world.posthorn.drain();
    expect(new Set(subjects()).size).toBe(200);
    expect(subjects()).toHaveLength(200);
    expect(await get(spring)).toMatchObject({ status: "completed", counts: { sent: 200 } });
  });

  test("an operator's hold outlasts its pause and its resuming, and no operator resumes what its workspace paused", async () => {
    const { queue } = world.posthorn;
    const spring = await make(3);
    const route = campaignRoute(shop.id, spring.campaignId);
    await own().start(spring);
    await queue.pause({ route, reason: "abuse" });
    await world.posthorn.drain();
    await own().pause(spring);
    const { routes } = await queue.status();
    expect(routes.map(({ holds }) => holds.map(({ owner, reason }) => [owner, reason]))).toEqual([
      [
        ["campaign", "the campaign is paused"],
        ["operator", "abuse"],
      ],
    ]);
    const { items } = await world.posthorn.emails.list({}, { workspaceId: shop.id });
    const emailId = items[0]?.id ?? "";
    const { timeline } = await world.posthorn.emails.get({ emailId }, { workspaceId: shop.id });
    expect(timeline.at(-1)?.message).toBe("Due for attempt 1; its route is held: the campaign is paused.");
    await own().resume(spring);
    await world.posthorn.drain();
    expect(subjects()).toEqual([]);
    await own().pause(spring);
    expect([(await queue.resume({ route })).changed, (await queue.resume({ route })).changed]).toEqual([
      true,
      false,
    ]);
    await world.posthorn.drain();
    expect(subjects()).toEqual([]);
    await own().resume(spring);
    await world.posthorn.drain();
    expect(subjects()).toHaveLength(3);
  });

  test("a cancelled campaign sends nothing more, and reports each recipient's result", async () => {
    const spring = await make(200, { pace: { perSecond: 1 } });
    await own().start(spring);
    await world.posthorn.drain();
    const sent = subjects().length;
    expect((await own().cancel(spring)).status).toBe("cancelled");
    await world.posthorn.drain();
    world.clock.advance(HOUR);
    await world.posthorn.drain();
    expect(subjects()).toHaveLength(sent);
    const { counts } = await get(spring);
    expect(counts).toMatchObject({ pending: 0, sent, cancelled: 200 - sent });
    expect(await world.storage.emailQueue.parked(world.clock.now())).toEqual([]);
    await expect(own().resume(spring)).rejects.toMatchObject({ code: "campaign_state_conflict" });
  });

  test("too many bounces pause it automatically", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 no such user"));
    const spring = await make(40, { autoPause: { after: 10 }, pace: { perSecond: 1 } });
    await own().start(spring);
    for (let round = 0; round < 4; round += 1) {
      await world.posthorn.drain();
      world.clock.advance(10 * SECOND);
    }
    expect(await get(spring)).toMatchObject({ status: "paused", pausedReason: "bounce_rate" });
    expect((await eventsOf("campaign.paused"))[0]?.metadata).toContain("bounce_rate");
  });
});
