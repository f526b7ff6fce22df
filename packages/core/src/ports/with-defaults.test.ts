import { expect, test } from "vitest";
import { withDefaults } from "./with-defaults.ts";

test("an option that is undefined has its default, as one that is left out", () => {
  const defaults = { connect: 30_000, dot: 600_000, greeting: 300_000 };
  expect(withDefaults(defaults, { connect: undefined, dot: 0 })).toEqual({
    connect: 30_000,
    dot: 0,
    greeting: 300_000,
  });
  expect(withDefaults(defaults, undefined)).toEqual(defaults);
});
