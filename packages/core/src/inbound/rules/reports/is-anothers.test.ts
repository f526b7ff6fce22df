import { expect, test } from "vitest";
import { isAnothers } from "./is-anothers.ts";

const bounceOf = (...addresses: string[]) => ({ kind: "bounce", addresses }) as const;

test.each([
  ["ada@mail.example.com", "ada@example.com", false],
  ["Ada+news@example.com", "ada@example.com", false],
  ["ada+news+old@example.com", "ADA+sales@example.com", false],
  ["+ada@example.com", "+bob@example.com", true],
  ["bob@example.com", "ada@example.com", true],
])("a bounce of %s for %s is another's: %s", (reached, recipient, answer) => {
  expect(isAnothers(bounceOf("list@example.com", reached), recipient)).toBe(answer);
});

test("what a report has in place of an address is compared in a time proportional to its length", () => {
  // A line's end for a pattern, which was looked for from each plus: this took six seconds.
  const reached = `${"+".repeat(100_000)}\u2028a`;
  const begun = process.cpuUsage();
  expect(isAnothers(bounceOf(reached), "ada@example.com")).toBe(true);
  const { user } = process.cpuUsage(begun);
  expect(user / 1_000).toBeLessThan(2_000);
});
