import { expect, test } from "vitest";
import {
  eventsOf,
  host,
  hour,
  limitTo,
  openWorldForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import type { Usage } from "../../ports/storage.ts";
import { dayWindow, hourWindow } from "../../workspaces/rules/quota-windows.ts";
import { deferItems, planItems } from "./defer-items.ts";
import type { SubmissionItem } from "./submission.ts";

openWorldForEach();

/** A charge without limits, of an hour and its day. */
const charge = (start: number, recipients: number) => ({
  workspaceId: workspace.id,
  recipients,
  hour: { start, limit: 0 },
  day: { start: dayWindow(start).start, limit: 0 },
});

const itemBefore = (deliverBefore: number | undefined): SubmissionItem => {
  const email = { recipients: [{}], deliverBefore, dueAt: world.clock.now(), origin: {} };
  return { email, dedupeKey: undefined, events: [], deliveries: [] } as unknown as SubmissionItem;
};

test("what others charge between plan and charge is planned around; if nothing is left, all is given back", async () => {
  const now = world.clock.now();
  const { usage } = world.storage;
  const limits = { hour: 1, day: 2 };
  const submission = { workspaceId: workspace.id, limits, now };
  const next = hourWindow(now).start + hour;
  const taken = () => usage.find(workspace.id, hourWindow(now).start, dayWindow(now).start);
  /** Another process takes the next hour, and with it the day's last recipient. */
  const raced: Usage = {
    ...usage,
    async reserve(requests) {
      const other = {
        workspaceId: workspace.id,
        recipients: 1,
        hour: { start: next, limit: 1 },
        day: { start: dayWindow(next).start, limit: 2 },
      };
      await usage.reserve([other]);
      return usage.reserve(requests);
    },
  };
  const due = itemBefore(now + 3 * hour);
  expect(await deferItems({ usage: raced }, submission, [due, itemBefore(now + 3 * hour)])).toBeUndefined();
  expect(await taken()).toEqual({ hour: 0, day: 1 });
  const [first, second] =
    (await deferItems({ usage: raced }, submission, [due, itemBefore(undefined)])) ?? [];
  expect(first).toBe(due);
  expect(second?.email.dueAt).toBe(dayWindow(now).start + 24 * hour);
  expect(await taken()).toEqual({ hour: 1, day: 2 });
});

test("an e-mail that was charged keeps its hour while others look for another", async () => {
  const now = hourWindow(world.clock.now()).start;
  const { usage } = world.storage;
  let isTaken = false;
  /** Another process takes the next hour. */
  const raced: Usage = {
    ...usage,
    async reserve(requests) {
      if (!isTaken) await usage.reserve([charge(now + hour, 1)]);
      isTaken = true;
      return usage.reserve(requests);
    },
  };
  const submission = { workspaceId: workspace.id, limits: { hour: 1, day: 9 }, now };
  const items = [itemBefore(undefined), itemBefore(undefined)];
  const [first, second] = (await deferItems({ usage: raced }, submission, items)) ?? [];
  expect([first, second?.email.dueAt]).toEqual([items[0], now + 2 * hour]);
  expect(await usage.find(workspace.id, now, dayWindow(now).start)).toEqual({ hour: 1, day: 3 });
});

test("the first hour of a day, which begins with it, has its own use", async () => {
  const midnight = dayWindow(world.clock.now()).start + 24 * hour;
  const now = midnight - hour;
  for (const [start, recipients] of [
    [now, 5],
    [midnight, 1],
    [midnight + hour, 5],
  ] as const)
    await world.storage.usage.reserve([charge(start, recipients)]);
  const plan = (day: number) =>
    planItems(world.storage, { workspaceId: workspace.id, limits: { hour: 5, day }, now }, [
      itemBefore(undefined),
    ]);
  expect([await plan(10), await plan(6)]).toEqual([[midnight], [midnight + 24 * hour]]);
});

test("an e-mail that is to be sent after the hour with room keeps its time", async () => {
  await limitTo({ hourlyRateLimit: 1 });
  await send();
  const later = world.clock.now() + 5 * hour;
  const asked = { scheduledAt: new Date(later).toISOString(), whenLimited: "defer" } as const;
  expect((await send(asked)).scheduledAt).toBe(later);
  // It was charged to the next hour.
  expect((await send({ whenLimited: "defer" })).scheduledAt).toBe(
    hourWindow(world.clock.now()).start + 2 * hour,
  );
});

test("an e-mail is not rescheduled to before the hour that it was charged to", async () => {
  await limitTo({ hourlyRateLimit: 1 });
  await send();
  const next = hourWindow(world.clock.now()).start + hour;
  const move = (emailId: string, scheduledAt: number | null) =>
    world.posthorn.emails.reschedule({ emailId, scheduledAt }, host());
  const { id } = await send({ whenLimited: "defer" });
  expect(await move(id, null)).toMatchObject({ status: "scheduled", scheduledAt: next });
  expect(await eventsOf("email.rescheduled")).toEqual([]);
  expect(await move(id, next + hour)).toMatchObject({ scheduledAt: next + hour });
  expect(await move(id, world.clock.now() + 1)).toMatchObject({ scheduledAt: next });
  const later = await send({ whenLimited: "defer", scheduledAt: next + 5 * hour });
  expect(await move(later.id, null)).toMatchObject({ scheduledAt: next + hour });
  await world.posthorn.drain();
  expect(world.mailer.inbox.all()).toHaveLength(1);
  world.clock.set(next + hour);
  await world.posthorn.drain();
  expect(world.mailer.inbox.all()).toHaveLength(3);
});
