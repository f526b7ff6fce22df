import { expect, test } from "vitest";
import { sumUp } from "./create-counters.ts";

const change = (domain: string, metric: string, by: number) => ({ domain, metric, by });

test("adds up the changes of each counter, in whatever order they come, and leaves them as they are", () => {
  const changes = [
    change("a.example", "sent", 1),
    change("a.example", "sent", 2),
    change("b.example", "sent", 4),
    change("a.example", "sent", 8),
    change("a.example", "failed", 16),
    change("b.example", "sent", 32),
  ];
  const before = structuredClone(changes);
  expect(sumUp(["domain", "metric"], changes)).toEqual([
    change("a.example", "sent", 11),
    change("b.example", "sent", 36),
    change("a.example", "failed", 16),
  ]);
  expect(changes).toEqual(before);
});
