import { expect, test } from "vitest";
import { createLimitTeller } from "./limit-teller.ts";

test("tells once of each window, even if there is room at times meanwhile", () => {
  const told: string[] = [];
  const tell = createLimitTeller({ warn: (text) => told.push(text) });
  const [first, second] = ["2026-11-23T07:00:00.000Z", "2026-11-23T08:00:00.000Z"];
  for (const until of [null, first, first, null, first, second])
    tell({ name: "Spring", limited_until: until });
  expect(told).toEqual([
    expect.stringMatching(/^The plan's limit is reached: "Spring" continues at .*07:00/),
    expect.stringMatching(/^The plan's limit is reached: "Spring" continues at .*08:00/),
  ]);
});
