import type { Logger } from "@posthorn/core";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createShutdown } from "./shutdown.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function shutdown(
  signal = new AbortController().signal,
  npm: Parameters<typeof createShutdown>[2] = { env: {} },
) {
  const logged: string[] = [];
  const log = (_: object, message: string): void => void logged.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const made = createShutdown(signal, logger, npm);
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

test("ends on Ctrl-C, also if it came earlier", async () => {
  const interruption = new AbortController();
  const { ended } = shutdown(interruption.signal);
  interruption.abort();
  await expect(ended).resolves.toBeUndefined();
  await expect(shutdown(interruption.signal).ended).resolves.toBeUndefined();
});

test.each(["SIGTERM", "SIGQUIT", "SIGHUP"] as const)(
  "ends on %s, and exits after 29 s at the latest",
  async (name) => {
    const codes = exits();
    const { ended } = shutdown();
    process.emit(name);
    await ended;
    vi.advanceTimersByTime(28_999);
    expect(codes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(codes).toEqual([1]);
  },
);

test("logs a fault, ends with a failure, and exits after 4 s", async () => {
  const codes = exits();
  const { ended, fail, logged } = shutdown();
  fail("the disk failed to keep a commit", new Error("EIO"));
  await expect(ended).rejects.toMatchObject({
    failure: "failed",
    message: "the disk failed to keep a commit: EIO.",
  });
  expect(logged).toEqual(["the disk failed to keep a commit"]);
  vi.advanceTimersByTime(4_000);
  expect(codes).toEqual([1]);
});

test.each(["SIGTERM", "SIGQUIT", "SIGHUP"] as const)(
  "ignores further signals, also while the process closes: %s",
  async (name) => {
    const codes = exits();
    const { ended, close } = shutdown();
    process.emit(name);
    process.emit(name);
    await ended;
    close();
    // Without a listener the signal's default action would end the process.
    expect(process.listenerCount(name)).toBeGreaterThan(0);
    expect(codes).toEqual([]);
  },
);

test("ends when the npm that started it is gone, and ignores any other parent", async () => {
  let parent = 41;
  const byNpm = shutdown(undefined, { env: { npm_command: "exec" }, parent: () => parent });
  const byHand = shutdown(undefined, { env: {}, parent: () => parent });
  let handEnded = false;
  void byHand.ended.then(() => {
    handEnded = true;
  });
  parent = 1;
  vi.advanceTimersByTime(1_000);
  await byNpm.ended;
  expect(byNpm.logged).toEqual(["npm, which started this process, is gone: stopping"]);
  expect(handEnded).toBe(false);
});
