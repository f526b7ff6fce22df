import { expect, test, vi } from "vitest";
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

test("a scheduled campaign that is put off while it begins does not begin", async () => {
  const inHours = (hours: number) => new Date(world.clock.now() + hours * HOUR).toISOString();
  const spring = await make(1, { scheduledAt: inHours(1) });
  await own().start(spring);
  world.clock.advance(HOUR);
  const { campaigns } = world.storage;
  const { take } = campaigns;
  vi.spyOn(campaigns, "take").mockImplementationOnce(async (...due) => {
    const taken = await take(...due);
    await own().update({ ...spring, name: "Put off", scheduledAt: inHours(1) });
    return taken;
  });
  await world.posthorn.drain();
  expect(await get(spring)).toMatchObject({ status: "scheduled", counts: { queued: 0 } });
  world.clock.advance(HOUR);
  await world.posthorn.drain();
  expect(await get(spring)).toMatchObject({ status: "completed" });
});

test.each([{}, { subject: "Summer", html: "<h1>Sun</h1>" }])(
  "a change of a scheduled campaign, %j, leaves out stylesheets that were deleted since it was scheduled",
  async (says) => {
    const { stylesheets } = world.posthorn.workspace(shop.id);
    const { id: stylesheetId } = await stylesheets.create({ name: "brand", css: "h1 { color: red }" });
    const scheduledAt = new Date(world.clock.now() + HOUR).toISOString();
    const spring = await make(1, { scheduledAt, text: undefined, html: "<h1>Sun</h1>" });
    await own().start(spring);
    await stylesheets.delete({ stylesheetId });
    await own().update({ ...spring, name: "Renamed", scheduledAt, ...says });
    world.clock.advance(HOUR);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()[0]?.html).toBe("<h1>Sun</h1>");
  },
);

test("a campaign that no mail server would take is refused at its start and at a change of its time", async () => {
  const { settings } = world.posthorn.workspace(shop.id);
  const scheduledAt = new Date(world.clock.now() + HOUR).toISOString();
  const spring = await make(1, { scheduledAt });
  await settings.update({ platformServer: false });
  await expect(own().start(spring)).rejects.toMatchObject({ code: "no_smtp_server" });
  expect((await get(spring)).status).toBe("draft");
  await settings.update({ platformServer: true });
  await own().start(spring);
  await settings.update({ platformServer: false });
  await expect(own().update({ ...spring, name: "Renamed", scheduledAt })).rejects.toMatchObject({
    code: "no_smtp_server",
  });
});
