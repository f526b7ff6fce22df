import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { openScreen, type Terminal } from "./screen.ts";

/** A terminal that records its calls. */
function createTerminal() {
  const done: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (raw: boolean) => void done.push(`raw ${raw}`),
    resume: () => {},
    pause: () => {},
  });
  const stdout = Object.assign(new EventEmitter(), {
    columns: 80,
    rows: 24,
    write: (text: string) => done.push(text) > 0,
  });
  let restore = (): void => {};
  const terminal = {
    stdin,
    stdout,
    interrupt: () => void done.push("interrupted"),
    atExit(how: () => void) {
      restore = how;
      return () => void done.push("stays");
    },
  };
  return { done, stdin, stdout, terminal: terminal as unknown as Terminal, exit: () => restore() };
}

test("draws within the terminal's size, again when it changes, and ends on q", () => {
  const { done, stdin, stdout, terminal } = createTerminal();
  const screen = openScreen(({ columns, rows }) => [`${columns} by ${rows}`], terminal);
  screen.draw();
  expect(done.at(-1)).toContain("80 by 23");
  Object.assign(stdout, { columns: 120, rows: 40 });
  stdout.emit("resize");
  expect(done.at(-1)).toContain("120 by 39");
  Object.assign(stdout, { columns: 0, rows: 0 });
  stdout.emit("resize");
  expect(done.at(-1)).toContain("80 by 23");
  stdin.emit("data", Buffer.from("x"));
  expect(screen.left.aborted).toBe(false);
  stdin.emit("data", Buffer.from("q"));
  expect(screen.left.aborted).toBe(true);
});

test("Ctrl-C, which the terminal passes as a key, interrupts", () => {
  const { done, stdin, terminal } = createTerminal();
  openScreen(() => [], terminal);
  stdin.emit("data", Buffer.from("\x03"));
  expect(done).toContain("interrupted");
});

test.each(["close", "exit"] as const)("restores the terminal once after %s", (how) => {
  const { done, stdout, terminal, exit } = createTerminal();
  const screen = openScreen(() => ["line"], terminal);
  if (how === "exit") exit();
  screen.close();
  stdout.emit("resize");
  screen.draw();
  expect(done.filter((one) => one === "raw false")).toHaveLength(1);
  expect(done.filter((one) => one.includes("\x1b[?1049l"))).toHaveLength(1);
  expect(done.some((one) => one.includes("line"))).toBe(false);
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("after %s the process exits as one that the signal ended", (name, expected) => {
  const codes: unknown[] = [];
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => codes.push(code) as never);
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => {
    for (const one of [exit, write]) one.mockRestore();
  });
  const screen = openScreen(() => []);
  process.emit(name, name);
  screen.close();
  process.emit(name, name);
  expect(codes).toEqual([expected]);
});
