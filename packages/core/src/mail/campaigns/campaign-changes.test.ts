import { expect, test } from "vitest";
import { openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";
import type { World } from "../../testing/index.ts";

openWorldForEach();

type Changed = Parameters<World["posthorn"]["campaigns"]["update"]>[0];

/** Creates a campaign, changes it, and returns what the event tells of the change; `undefined` without an event. */
async function changesBy(change: Omit<Changed, "campaignId">): Promise<unknown> {
  const { campaigns, events } = world.posthorn;
  const made = { name: "Spring", subject: "Hi", text: "secret words", tags: ["a"], pace: { perHour: 10 } };
  const { id: campaignId } = await campaigns.create(made, workspace.asOwner);
  await campaigns.update({ campaignId, ...change }, workspace.asOwner);
  const { items } = await events.list({ type: "campaign.updated" });
  if (items.length === 0) return undefined;
  expect(items).toHaveLength(1);
  const { metadata } = items[0] ?? {};
  expect(metadata).toMatchObject({ campaignId, name: change.name, added: 0 });
  expect(JSON.stringify(metadata)).not.toContain("words");
  return metadata && "changes" in metadata ? metadata.changes : undefined;
}

test("an event tells the old and new values of what a change changes", async () => {
  const scheduledAt = new Date(world.clock.now() + 3_600_000).toISOString();
  const from = "Shop <hello@shop.example>";
  expect(
    await changesBy({ name: "Summer", from, scheduledAt, pace: { perSecond: 2 }, onMissing: "stop" }),
  ).toEqual({
    name: { from: "Spring", to: "Summer" },
    from: { from: null, to: from },
    tags: { from: ["a"], to: [] },
    scheduled_at: { from: null, to: scheduledAt },
    pace: { from: { per_second: null, per_hour: 10 }, to: { per_second: 2, per_hour: null } },
    on_missing: { from: "skip", to: "stop" },
  });
});

test("it tells of content and of header fields only that they changed, and nothing of what stays", async () => {
  const same = { name: "Spring", tags: ["a"], pace: { perHour: 10 } };
  expect(await changesBy({ ...same, headers: { "X-A": "b" }, subject: "Hi", text: "other words" })).toEqual({
    content: { from: "former", to: "new" },
    headers: { from: "former", to: "new" },
  });
});

test("a change that says the same is no event", async () => {
  expect(
    await changesBy({
      name: "Spring",
      subject: "Hi",
      text: "secret words",
      tags: ["a"],
      pace: { perHour: 10 },
    }),
  ).toBe(undefined);
});

test("a begin in seconds is refused, as the campaign would begin at its start", async () => {
  const { campaigns } = world.posthorn;
  const scheduledAt = Math.floor(world.clock.now() / 1000) + 3600;
  const refusal = { details: [{ path: "scheduledAt", message: expect.stringContaining("in seconds") }] };
  const mail = { name: "Soon", subject: "Hi", text: "x" };
  const create = campaigns.create({ ...mail, scheduledAt }, workspace.asOwner);
  await expect(create).rejects.toMatchObject(refusal);
  const { id: campaignId } = await campaigns.create(mail, workspace.asOwner);
  const update = campaigns.update({ campaignId, name: "Soon", scheduledAt }, workspace.asOwner);
  await expect(update).rejects.toMatchObject(refusal);
});

test("each step is an event, and an addition that adds nobody is none", async () => {
  const { campaigns, events } = world.posthorn;
  const own = workspace.asOwner;
  const mail = { name: "Spring", subject: "Hi", text: "Hello", unsubscribe: false as const };
  const scheduledAt = new Date(world.clock.now() + 3_600_000).toISOString();
  const recipients = ["ada@example.com", "bob@example.com"].map((to) => ({ to }));
  const { id: later } = await campaigns.create({ ...mail, scheduledAt }, own);
  for (const _ of [1, 2]) await campaigns.addRecipients({ campaignId: later, recipients }, own);
  for (const step of [campaigns.start, campaigns.cancel]) await step({ campaignId: later }, own);
  const { id: paused } = await campaigns.create({ ...mail, recipients }, own);
  for (const step of [campaigns.start, campaigns.pause, campaigns.resume])
    await step({ campaignId: paused }, own);
  const { id: dropped } = await campaigns.create(mail, own);
  await campaigns.delete({ campaignId: dropped }, own);
  const { items } = await events.list({ size: 100 });
  const told = items.flatMap(({ type, metadata }) =>
    type.startsWith("campaign.") ? [[type, metadata]] : [],
  );
  const of = (campaignId: number) => ({ campaignId, name: "Spring" });
  expect(told.reverse()).toEqual([
    ["campaign.created", of(later)],
    ["campaign.updated", { ...of(later), added: 2, changes: {} }],
    ["campaign.scheduled", of(later)],
    ["campaign.cancelled", of(later)],
    ["campaign.created", of(paused)],
    ["campaign.started", of(paused)],
    ["campaign.paused", { ...of(paused), reason: "user" }],
    ["campaign.resumed", of(paused)],
    ["campaign.created", of(dropped)],
    ["campaign.deleted", of(dropped)],
  ]);
});

test("the long list of a campaign that has begun stays as its deletion is refused", async () => {
  const { campaigns } = world.posthorn;
  const recipients = Array.from({ length: 5_001 }, (_, n) => ({ to: `p${n}@example.com` }));
  const mail = { name: "Spring", subject: "Hi", text: "Hello", unsubscribe: false as const, recipients };
  const { id: campaignId } = await campaigns.create(mail, workspace.asOwner);
  await campaigns.start({ campaignId }, workspace.asOwner);
  const deletion = campaigns.delete({ campaignId }, workspace.asOwner);
  await expect(deletion).rejects.toMatchObject({ code: "campaign_not_editable" });
  const { total } = await campaigns.listRecipients({ campaignId, size: 1 }, workspace.asOwner);
  expect(total).toBe(5_001);
});
