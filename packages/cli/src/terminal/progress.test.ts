import { expect, test } from "vitest";
import { createProgress, describeProgress } from "./progress.ts";

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) > 0 } };
}

test("tells count, share, rate and time left", () => {
  expect(describeProgress(1_200, 4_800, 3_000)).toBe("1,200 of 4,800 (25 %), 400 a second, 9 s left");
  expect(describeProgress(3, 4, 2_000)).toBe("3 of 4 (75 %), 1.5 a second, 1 s left");
  expect(describeProgress(10, 10, 1_000)).toBe("10 of 10 (100 %), 10 a second");
  expect(describeProgress(0, 1_000_000, 0)).toBe("0 of 1,000,000 (0 %), 0 a second");
  expect(describeProgress(10, 100_000, 1_000)).toContain("2.8 h left");
  expect(describeProgress(500, undefined, 1_000)).toBe("500, 500 a second");
});

test("off a terminal it writes a line every five seconds and none at the end", () => {
  const { written, stream } = recorder(false);
  let time = 0;
  const progress = createProgress("rows", 100, { stream, now: () => time });
  for (time = 1_000; time <= 11_000; time += 1_000) progress.add(1);
  progress.end();
  expect(written).toEqual([
    "rows: 5 of 100 (5 %), 1.0 a second, 2 min left\n",
    expect.stringMatching(/^rows: 10 of 100 .*\n$/),
  ]);
});

test("on a terminal it writes over one line, and ends it", () => {
  const { written, stream } = recorder(true);
  let time = 0;
  const progress = createProgress("rows", 2, { stream, now: () => time });
  time = 200;
  progress.add(1);
  time = 210;
  progress.add(1);
  progress.end();
  expect(written).toHaveLength(3);
  expect(written[0]).toMatch(/^\r\S*rows: 1 of 2/);
  expect(written[1]).toMatch(/^\r\S*rows: 2 of 2/);
  expect(written[2]).toBe("\n");
});
