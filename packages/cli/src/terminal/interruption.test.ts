import { expect, onTestFinished, test, vi } from "vitest";
import { createInterruption } from "./interruption.ts";
import { createOutput } from "./output.ts";

test("the first Ctrl-C interrupts, npx forwarding it counts as the same one, and a later one exits at once", () => {
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

test("on a terminal, the next output begins below the ^C", () => {
  const { isTTY } = process.stderr;
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const { close } = createInterruption();
  onTestFinished(() => {
    close();
    spy.mockRestore();
    process.stderr.isTTY = isTTY;
  });
  process.stderr.isTTY = true;
  process.emit("SIGINT");
  const { note } = createOutput({ json: false });
  note("Ending.");
  note("Ended.");
  expect(written).toEqual(["\n", "Ending.\n", "Ended.\n"]);
});
