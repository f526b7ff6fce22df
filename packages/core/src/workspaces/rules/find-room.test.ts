import { expect, test } from "vitest";
import { findRoom } from "./find-room.ts";

const hour = 3_600_000;
const noon = Date.UTC(2030, 0, 1, 12);
const one = { recipients: 1, before: noon + 720 * hour };
const room = (
  limits: { hour: number; day: number },
  hours: [number, number][] = [],
  days: [number, number][] = [],
) => ({
  limits,
  hours: new Map(hours),
  days: new Map(days),
});
const inHours = (found: number[] | undefined) => found?.map((at) => (at - noon) / hour);

test("returns the first hour with room, in order", () => {
  expect(inHours(findRoom(room({ hour: 2, day: 0 }, [[noon, 1]]), [one, one, one, one], noon))).toEqual([
    0, 1, 1, 2,
  ]);
  const three = { ...one, recipients: 3 };
  expect(inHours(findRoom(room({ hour: 3, day: 0 }), [one, three, one], noon))).toEqual([0, 1, 2]);
});

test("skips a full day", () => {
  const midnight = Date.UTC(2030, 0, 1);
  expect(inHours(findRoom(room({ hour: 0, day: 2 }, [], [[midnight, 2]]), [one, one, one], noon))).toEqual([
    12, 12, 36,
  ]);
});

test("returns nothing for more than a limit, or without an hour before its deadline", () => {
  expect(findRoom(room({ hour: 1, day: 0 }), [{ ...one, recipients: 2 }], noon)).toBeUndefined();
  expect(findRoom(room({ hour: 0, day: 1 }), [{ ...one, recipients: 2 }], noon)).toBeUndefined();
  expect(
    findRoom(room({ hour: 1, day: 0 }, [[noon, 1]]), [{ ...one, before: noon + hour }], noon),
  ).toBeUndefined();
});

test("an item whose deadline comes before the hour of an earlier one takes room that is left before it", () => {
  const [large, urgent] = [
    { ...one, recipients: 2 },
    { ...one, before: noon + 1 },
  ];
  const left = room({ hour: 2, day: 0 }, [[noon, 1]]);
  expect(inHours(findRoom(left, [large, urgent, one], noon))).toEqual([1, 0, 2]);
  expect(findRoom(left, [large, urgent, urgent], noon)).toBeUndefined();
});

test("an item that may go later finds the hour that those before it could not wait for", () => {
  const within = (hours: number) => ({ ...one, before: noon + hours * hour });
  const full = [2, 3, 4].map((at): [number, number] => [noon + at * hour, 2]);
  const left = room({ hour: 2, day: 0 }, [[noon, 1], ...full]);
  const found = findRoom(left, [{ ...one, recipients: 2 }, within(4), within(9)], noon);
  expect(inHours(found)).toEqual([1, 0, 5]);
});
