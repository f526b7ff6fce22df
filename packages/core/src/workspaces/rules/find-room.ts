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

/**
 * Finds, for each of the `wanted` numbers of recipients, the first hour with room for it, and returns the beginnings of
 * those hours in ms. Hours never precede that of an earlier item. `from` is the first hour to try. `undefined` if an
 * item has no such hour before its `before`.
 */
export function findRoom(
  { limits, hours, days }: Room,
  wanted: readonly { recipients: number; before: number }[],
  from: number,
): number[] | undefined {
  const [byHour, byDay] = [new Map(hours), new Map(days)];
  const fits = (used: number, more: number, limit: number): boolean => limit === 0 || used + more <= limit;
  const found: number[] = [];
  let at = from;
  for (const { recipients, before } of wanted) {
    if (!fits(0, recipients, limits.hour) || !fits(0, recipients, limits.day)) return undefined;
    while (at < before) {
      const { start } = dayWindow(at);
      if (!fits(byDay.get(start) ?? 0, recipients, limits.day)) at = start + day;
      else if (!fits(byHour.get(at) ?? 0, recipients, limits.hour)) at += hour;
      else break;
    }
    if (at >= before) return undefined;
    const { start } = dayWindow(at);
    byHour.set(at, (byHour.get(at) ?? 0) + recipients);
    byDay.set(start, (byDay.get(start) ?? 0) + recipients);
    found.push(at);
  }
  return found;
}
