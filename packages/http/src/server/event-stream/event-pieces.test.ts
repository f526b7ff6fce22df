import type { LoggedEvent } from "@posthorn/core";
import { expect, test } from "vitest";
import { createEventPieces } from "./event-pieces.ts";

const eventsOf = (ids: number[], message = "x".repeat(1_000)) =>
  ids.map(
    (id) =>
      ({ id, category: "system", type: "plan.created", message, metadata: {}, createdAt: 1 }) as LoggedEvent,
  );
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("events are written in pieces of some 32 KiB, which tell their last event, and once for all readers", () => {
  const pieces = createEventPieces();
  const events = eventsOf(upTo(100));
  const written = pieces.of(events);
  expect(pieces.of(events)).toBe(written);
  expect(written.length).toBeGreaterThan(2);
  const ids = written.map(({ bytes, lastId }) => {
    expect(bytes.length).toBeLessThan(40_000);
    const text = Buffer.from(bytes).toString();
    expect(text.endsWith("\n\n")).toBe(true);
    const told = Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id));
    expect(told.at(-1)).toBe(lastId);
    return told;
  });
  expect(ids.flat()).toEqual(upTo(100));
});

test("readers whose filters all differ do not have everything kept for each", () => {
  const pieces = createEventPieces();
  const first = eventsOf(upTo(500));
  const before = pieces.of(first);
  for (let reader = 0; reader < 20; reader += 1) pieces.of(eventsOf(upTo(500)));
  expect(pieces.of(first)).not.toBe(before);
});
