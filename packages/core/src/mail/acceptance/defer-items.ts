import type { Repositories } from "../../ports/storage.ts";
import { findRoom, type Room } from "../../workspaces/rules/find-room.ts";
import { dayWindow, hourWindow } from "../../workspaces/rules/quota-windows.ts";
import { chargedTo, type Submission, type SubmissionItem } from "./submission.ts";

/** Maximum ms that an e-mail is postponed until its plan has room (platform.md P1). */
const maxAhead = 30 * 24 * 60 * 60 * 1000;
/** Maximum tries against other submissions that charge the same hours at the same time. */
const maxTries = 20;

type Asking = Pick<Submission, "workspaceId" | "limits" | "now">;

/**
 * Charges each e-mail, in order, to the first hour that has room, and schedules it for that hour. Returns `undefined`,
 * and charges nothing, if one of them has no such hour within 30 days or before its deadline.
 */
export async function deferItems(
  storage: Pick<Repositories, "usage">,
  submission: Asking,
  items: readonly SubmissionItem[],
): Promise<SubmissionItem[] | undefined> {
  const { workspaceId, limits } = submission;
  const done = new Map<SubmissionItem, number>();
  for (let tries = 0; tries < maxTries; tries += 1) {
    const open = items.filter((item) => !done.has(item));
    const hours = await planItems(storage, submission, open);
    if (hours === undefined) break;
    const byHour = [...Map.groupBy(open, (_, index) => hours[index] ?? 0)];
    const charged = await storage.usage.reserve(
      byHour.map(([start, those]) => ({
        workspaceId,
        recipients: those.reduce((sum, { email }) => sum + chargedTo(email), 0),
        hour: { start, limit: limits.hour },
        day: { start: dayWindow(start).start, limit: limits.day },
      })),
    );
    for (const [index, [start, those]] of byHour.entries())
      if (charged[index]?.allowed) for (const item of those) done.set(item, start);
    if (done.size === items.length)
      return items.map((item) => waitUntil(item, done.get(item) ?? 0, submission.now));
  }
  await refund(storage, submission, done);
  return undefined;
}

/** Returns the hour that each e-mail would be charged to. */
export async function planItems(
  storage: Pick<Repositories, "usage">,
  { workspaceId, limits, now }: Asking,
  items: readonly SubmissionItem[],
): Promise<number[] | undefined> {
  const used = await storage.usage.listFrom(workspaceId, dayWindow(now).start);
  const room: Room = {
    limits,
    hours: new Map(used.filter(({ window }) => window === "hour").map((one) => [one.start, one.used])),
    days: new Map(used.filter(({ window }) => window === "day").map((one) => [one.start, one.used])),
  };
  const wanted = items.map(({ email }) => ({
    recipients: chargedTo(email),
    before: Math.min(now + maxAhead, email.deliverBefore ?? Number.POSITIVE_INFINITY),
  }));
  return findRoom(room, wanted, hourWindow(now).start);
}

/** Returns the e-mail, due no earlier than the start of the hour, and never to be before. */
export function waitUntil(item: SubmissionItem, hour: number, now: number): SubmissionItem {
  const { email } = item;
  if (hour <= now || chargedTo(email) === 0) return item;
  const charged = { ...email.origin, chargedHour: hour };
  if ((email.scheduledAt ?? 0) >= hour) return { ...item, email: { ...email, origin: charged } };
  const origin = { ...charged, deferredFrom: email.dueAt };
  return { ...item, email: { ...email, scheduledAt: hour, dueAt: hour, origin } };
}

async function refund(
  { usage }: Pick<Repositories, "usage">,
  { workspaceId }: Asking,
  done: ReadonlyMap<SubmissionItem, number>,
): Promise<void> {
  if (done.size === 0) return;
  await usage.release(
    [...done].map(([{ email }, start]) => ({
      workspaceId,
      recipients: chargedTo(email),
      hour: { start, limit: 0 },
      day: { start: dayWindow(start).start, limit: 0 },
    })),
  );
}
