import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createOutput, reportFailure } from "./output.ts";
import { createProgress, describeProgress } from "./progress.ts";

beforeEach(() => void vi.stubEnv("TERM", "xterm"));
afterEach(() => void vi.unstubAllEnvs());

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) > 0 } };
}

test("shows count, share, rate and remaining time", () => {
  const told = (done: number, total: number | undefined, elapsedMs: number, before = 0): string =>
    describeProgress(done, total, { elapsedMs, before });
  expect(told(1_200, 4_800, 3_000)).toBe("1,200 of 4,800 (25 %), 400 a second, 9 s left");
  expect(told(6, 8, 4_000)).toBe("6 of 8 (75 %), 1.5 a second, 2 s left");
  expect(told(10, 10, 1_000)).toBe("10 of 10 (100 %), 10 a second");
  expect(told(0, 1_000_000, 0)).toBe("0 of 1,000,000 (0 %), 0 a second");
  expect(told(30, 100_000, 3_000)).toContain("2.8 h left");
  expect(told(500, undefined, 1_000)).toBe("500, 500 a second");
  // The first rows do not allow an estimate of the whole time.
  expect(told(1, 100_000, 2_999)).toBe("1 of 100,000 (0 %), 0.3 a second");
  expect(told(1_000, 10_000, 10_000, 8_000)).toBe("9,000 of 10,000 (90 %), 100 a second, 10 s left");
});

test("writes a line every five seconds and none at the end, if not on a terminal", () => {
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

test("rewrites nothing on a terminal that says that it obeys no escape sequences", () => {
  vi.stubEnv("TERM", "dumb");
  const { written, stream } = recorder(true);
  let time = 0;
  const progress = createProgress("rows", 2, { stream, now: () => time });
  time = 5_000;
  progress.add(1);
  progress.end();
  expect(written).toEqual(["rows: 1 of 2 (50 %), 0.2 a second, 5 s left\n"]);
});

test("on a terminal it rewrites one line, and ends it", () => {
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

test.each([80, 0])(
  "on a terminal of %i columns, 0 for unknown, the line stays within its width",
  (columns) => {
    const { written, stream } = recorder(true);
    const progress = createProgress("x".repeat(100), 5_000, {
      stream: { ...stream, columns },
      now: () => 0,
    });
    progress.add(0);
    progress.end();
    const line = written[0]?.replace("\r\x1b[K", "") ?? "";
    expect(line.length).toBe(79);
    expect(line).toContain("…: 0 of 5,000 (0 %)");
  },
);

test("messages in between get lines of their own, and the progress continues below them", () => {
  const { isTTY } = process.stderr;
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => {
    spy.mockRestore();
    process.stderr.isTTY = isTTY;
  });
  process.stderr.isTTY = true;
  let time = 0;
  const progress = createProgress("Delivering", undefined, { now: () => time });
  const { note } = createOutput({ json: false });
  note("Begun.");
  time = 200;
  progress.add(1);
  note("Ending.");
  note("Ended.");
  time = 400;
  progress.add(1);
  reportFailure(new Error("It broke."), { json: false, debug: false });
  expect(written.map((text) => text.replace(/^\r\S*(?=Delivering)/, ""))).toEqual([
    "Begun.\n",
    expect.stringMatching(/^Delivering: 1/),
    "\n",
    "Ending.\n",
    "Ended.\n",
    expect.stringMatching(/^Delivering: 2/),
    "\n",
    expect.stringMatching(/error:.* It broke\.\n$/),
    expect.any(String),
  ]);
});
