import { dayWindow } from "./quota-windows.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** What a plan allows, 0 for any number, and what is used of it, by the beginnings of hours and days. */
export interface Room {
  limits: { hour: number; day: number };
  hours: ReadonlyMap<number, number>;
  days: ReadonlyMap<number, number>;
}

/**
 * The beginnings of the first hours that have room for each of what is wanted, in its order: none is put before one that was asked for
 * earlier. `from` is the hour to begin with. `undefined` where one finds none that begins before its time.
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
