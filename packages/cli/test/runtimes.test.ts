import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installCommand } from "./install-command.ts";

const ofCheckout = join(import.meta.dirname, "../bin/posthorn.js");

/** Runs the command in a process in which a text of JavaScript ran before. */
function runAfter(script: string, command = installCommand()) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(script)}`, command, "--version"],
    { encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

/** Runs the command in a process that takes itself for one of these versions. */
const runAs = (versions: Record<string, string>, command?: string) =>
  runAfter(
    `Object.defineProperty(process, "versions", { value: { ...process.versions, ...${JSON.stringify(versions)} } })`,
    command,
  );

test.each([
  [{ node: "22.18.0" }, "posthorn needs Node 22.19 or newer, and this is Node 22.18.0. "],
  [{ node: "24.3.0", bun: "1.4.5" }, "posthorn runs on Node 22.19 or newer, and this is bun 1.4.5. "],
  [{ node: "26.3.0", deno: "2.9.6" }, "posthorn runs on Node 22.19 or newer, and this is deno 2.9.6. "],
])("the command refuses %j in one line", (versions, beginning) => {
  const { status, stdout, stderr } = runAs(versions);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr.startsWith(beginning)).toBe(true);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("the command runs on this Node, in a checkout, too", () => {
  for (const command of [installCommand(), ofCheckout])
    expect(runAs({}, command)).toMatchObject({ status: 0, stderr: "" });
});

/** A process of this number that gets SIGTERM as soon as somebody listens for it. */
const stopped = (pid: number): string => `
  Object.defineProperty(process, "pid", { value: ${pid} });
  process.on("newListener", (name) => {
    if (name === "SIGTERM") setImmediate(() => process.emit("SIGTERM", "SIGTERM"));
  });`;

test("a container's first process ends at a signal before the command listens for it", () => {
  expect(runAfter(stopped(1))).toMatchObject({ status: 143, stderr: "" });
});

test("a signal that the command listens for is left to it, and that of another process to the system", () => {
  const listens = `${stopped(1)} process.on("SIGTERM", () => {});`;
  expect(runAfter(listens)).toMatchObject({ status: 0, stderr: "" });
  expect(runAfter(stopped(2))).toMatchObject({ status: 0, stderr: "" });
});
