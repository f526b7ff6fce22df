import { expect, test } from "vitest";
import { namesAnotherDomain } from "./names-another-domain.ts";

test.each([
  ["ada@example.com", false],
  ["ada@mail.EXAMPLE.com", false],
  ["ada@notexample.com", true],
  ["ada@com", true],
])("a reply that misses example.com names a domain that is not that of %s: %s", (address, answer) => {
  expect(namesAnotherDomain("550 Domain example.com not found", [address])).toBe(answer);
});

test("what a report has in place of an address is compared in a time proportional to its length", () => {
  const address = `ada@${"a.".repeat(20_000)}a`;
  const begun = process.cpuUsage();
  expect(namesAnotherDomain("550 Domain example.com not found", [address])).toBe(true);
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
});
