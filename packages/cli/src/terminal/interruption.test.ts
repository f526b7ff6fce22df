import { expect, onTestFinished, test, vi } from "vitest";
import { createInterruption } from "./interruption.ts";

test("Ctrl-C asks to end; handed on by npx it is the same one; a later one ends at once", () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  let now = 0;
  const { signal, isInterrupted, close } = createInterruption(() => now);
  onTestFinished(() => {
    close();
    exit.mockRestore();
  });
  expect([signal.aborted, isInterrupted()]).toEqual([false, false]);
  process.emit("SIGINT");
  expect([signal.aborted, isInterrupted()]).toEqual([true, true]);
  now = 900;
  process.emit("SIGINT");
  expect(exit).not.toHaveBeenCalled();
  now = 1_100;
  process.emit("SIGINT");
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
});
