import { expect, test } from "vitest";
import { connectionsFor, readDescriptorLimit } from "./connection-limits.ts";

test.each([
  [64, 8],
  [256, 144],
  [1024, 720],
  [1_000_000, 10_000],
  [Number.POSITIVE_INFINITY, 10_000],
])("a process of %d descriptors serves %d connections", (descriptors, most) => {
  expect(connectionsFor(descriptors)).toBe(most);
});

test("reads the limit of descriptors from the system", () => {
  expect(readDescriptorLimit()).toBeGreaterThan(32);
});
