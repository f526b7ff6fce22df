import type { Logger } from "@posthorn/core";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createStandBy } from "./stand-by.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function standBy(signal = new AbortController().signal) {
  const logged: string[] = [];
  const log = (_: object, message: string): void => void logged.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const made = createStandBy(signal, logger);
  onTestFinished(made.close);
  return { ...made, logged };
}

const exits = (): number[] => {
  const codes: number[] = [];
  const spy = vi.spyOn(process, "exit").mockImplementation((code) => {
    codes.push(Number(code));
    return undefined as never;
  });
  onTestFinished(() => spy.mockRestore());
  return codes;
};

test("ends by Ctrl-C, also where it came before", async () => {
  const interruption = new AbortController();
  const { ended } = standBy(interruption.signal);
  interruption.abort();
  await ended;
  await standBy(interruption.signal).ended;
});

test("ends by SIGTERM, and is cut short after 29 s", async () => {
  const codes = exits();
  const { ended } = standBy();
  process.emit("SIGTERM");
  await ended;
  vi.advanceTimersByTime(28_999);
  expect(codes).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(codes).toEqual([1]);
});

test("a fault is logged, ends it with a failure, and is given 4 s", async () => {
  const codes = exits();
  const { ended, fail, logged } = standBy();
  fail("the disk failed to keep a commit", new Error("EIO"));
  await expect(ended).rejects.toMatchObject({
    failure: "failed",
    message: "the disk failed to keep a commit: EIO.",
  });
  expect(logged).toEqual(["the disk failed to keep a commit"]);
  vi.advanceTimersByTime(4_000);
  expect(codes).toEqual([1]);
});
