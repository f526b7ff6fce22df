import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { watchStops } from "./watch-stops.ts";

test("leaves the service's signal, also if those of single messages came after it", () => {
  const stops = watchStops(() => {});
  const service = new AbortController();
  stops.watch(service.signal);
  for (let message = 0; message < 100; message += 1) stops.watch(new AbortController().signal);
  stops.watch(service.signal);
  expect(getEventListeners(service.signal, "abort")).toHaveLength(1);
  stops.unwatch();
  expect(getEventListeners(service.signal, "abort")).toHaveLength(0);
});

test("tells which signal was aborted, and no more of those it left", () => {
  const told: (EventTarget | null)[] = [];
  const stops = watchStops((signal) => void told.push(signal));
  const [first, second] = [new AbortController(), new AbortController()];
  stops.watch(first.signal);
  stops.watch(second.signal);
  first.abort();
  stops.unwatch();
  second.abort();
  expect(told).toEqual([first.signal]);
});
