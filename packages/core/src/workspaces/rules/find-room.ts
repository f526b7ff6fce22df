import { dayWindow } from "./quota-windows.ts";

const hour = 3_600_000;
const day = 24 * hour;

/**
 * A plan's limits of recipients per hour and day, 0 for unlimited, and the recipients used so far, by the beginnings of
 * hours and days in ms.
 */
export interface Room {
  limits: { hour: number; day: number };
  hours: ReadonlyMap<number, number>;
  days: ReadonlyMap<number, number>;
}

/** Recipients to be charged to one hour that begins before a time. */
interface Wanted {
  recipients: number;
  before: number;
}

/**
 * Finds, for each of the `wanted` numbers of recipients, the first hour with room for it, and returns the beginnings of
 * those hours in ms. An hour precedes that of an earlier item only if the item's `before` leaves no other. `from` is the
 * first hour to try. `undefined` if an item has no such hour before its `before`.
 */
export function findRoom(
  { limits, hours, days }: Room,
  wanted: readonly Wanted[],
  from: number,
): number[] | undefined {
  const [byHour, byDay] = [new Map(hours), new Map(days)];
  const fits = (used: number, more: number, limit: number): boolean => limit === 0 || used + more <= limit;
  const firstFrom = (at: number, { recipients, before }: Wanted): number => {
    while (at < before) {
      const today = dayWindow(at).start;
      if (!fits(byDay.get(today) ?? 0, recipients, limits.day)) at = today + day;
      else if (!fits(byHour.get(at) ?? 0, recipients, limits.hour)) at += hour;
      else break;
    }
    return at;
  };
  /** Hours before which so many recipients found no room, from the first hour or from `last` on: none becomes free again. */
  const tried = new Map<number, number>();
  const triedLate = new Map<number, number>();
  const found: number[] = [];
  let last = from;
  for (const item of wanted) {
    const { recipients, before } = item;
    if (!fits(0, recipients, limits.hour) || !fits(0, recipients, limits.day)) return undefined;
    let at = firstFrom(Math.max(last, triedLate.get(recipients) ?? last), item);
    if (at < before) last = at;
    else {
      triedLate.set(recipients, at);
      at = firstFrom(tried.get(recipients) ?? from, item);
      tried.set(recipients, at);
    }
    if (at >= before) return undefined;
    const { start } = dayWindow(at);
    byHour.set(at, (byHour.get(at) ?? 0) + recipients);
    byDay.set(start, (byDay.get(start) ?? 0) + recipients);
    found.push(at);
  }
  return found;
}
