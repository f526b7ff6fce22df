import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { describeLine } from "./create-logger.ts";

const execute = promisify(execFile);

test("a line for a terminal has time, level, message and fields, without control characters", () => {
  const line = JSON.stringify({
    level: "error",
    time: "2026-01-02T03:04:05.678Z",
    pid: 1,
    requestId: "r\u001b[31m",
    err: { message: "no\nroute", stack: "at …" },
    msg: "a request failed",
  });
  expect(describeLine(line)).toBe('03:04:05 error a request failed: no route {"requestId":"r\\u001b[31m"}\n');
});

// util-linux's script gives a command a terminal.
const hasTerminals = process.platform === "linux" && existsSync("/usr/bin/script");

test.skipIf(!hasTerminals)("a thread's lines are plain on a terminal, too, and JSON elsewhere", async () => {
  const file = new URL("./create-logger.ts", import.meta.url);
  const log = `import("${file}").then(({ createLogger }) => createLogger("info").info({}, "in a thread"))`;
  const program = `new (require("node:worker_threads").Worker)(${JSON.stringify(log)}, { eval: true })`;
  const env = { ...process.env, PROGRAM: program };
  const command = `"${process.execPath}" --eval "$PROGRAM" 2>&1`;
  const shown = await execute("/usr/bin/script", ["-qec", command, "/dev/null"], { env, timeout: 60_000 });
  expect(shown.stdout).toMatch(/^\d\d:\d\d:\d\d info in a thread\r?\n/m);
  const piped = await execute("sh", ["-c", command], { env, timeout: 60_000 });
  expect(JSON.parse(piped.stdout)).toMatchObject({ level: "info", msg: "in a thread" });
});

test("the words of an error's cause are written once", async () => {
  const file = new URL("./create-logger.ts", import.meta.url);
  const program = `import { createLogger } from "${file}";
    const cause = new Error("no more connections");
    for (const message of ["unavailable: no more connections", "unavailable"])
      createLogger("info").warn({ err: new Error(message, { cause }) }, "it failed");`;
  const { stderr } = await execute(process.execPath, ["--input-type=module", "--eval", program]);
  const lines = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).err);
  expect(lines).toMatchObject(Array(2).fill({ message: "unavailable: no more connections" }));
  for (const { stack } of lines) expect(stack).toContain("caused by: Error: no more connections");
});

test("a reader that stands still stops nothing; once it goes on, so does the log, with what was kept", async () => {
  const file = new URL("./create-logger.ts", import.meta.url);
  // As the command does, which makes the pipe one that tells that it is full.
  const program = `import { createLogger } from "${file}";
    process.stderr.on("error", () => {});
    const logger = createLogger("info");
    for (let n = 0; n < 3000; n += 1) logger.info({ n, filling: "x".repeat(1000) }, "kept or lost");
    process.stdout.write("not stopped");
    const ticking = setInterval(() => logger.info({}, "later"), 20);
    process.stdin.on("end", () => clearInterval(ticking)).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  let log = "";
  await new Promise<void>((resolve) =>
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("later")) resolve();
    }),
  );
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const kept = lines.filter(({ msg }) => msg !== "later").map(({ n }) => n);
  expect(kept.length).toBeGreaterThan(900);
  expect(kept).toEqual(kept.map((_, at) => at));
});

test("what a process wrote last reaches a reader that begins once it ends", async () => {
  const file = new URL("./create-logger.ts", import.meta.url);
  const program = `import { createLogger } from "${file}";
    process.stderr.on("error", () => {});
    const logger = createLogger("info");
    for (let n = 0; n < 500; n += 1) logger.info({ n, filling: "x".repeat(1000) }, "busy");
    // Time stands still: this reader may be suspended for longer than it is waited for.
    performance.now = () => 0;
    process.on("exit", () => logger.error({}, "why it ended"));
    process.stdout.write("ends", () => process.exit(1));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  await new Promise((resolve) => child.once("close", resolve));
  const lines = log.trim().split("\n");
  expect(lines).toHaveLength(501);
  expect(lines.at(-1)).toContain("why it ended");
});
