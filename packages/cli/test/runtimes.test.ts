import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const command = join(import.meta.dirname, "../bin/posthorn.js");

/** Runs the command in a process that takes itself for one of these versions. */
function runAs(versions: Record<string, string>) {
  const disguise = `Object.defineProperty(process, "versions", { value: { ...process.versions, ...${JSON.stringify(versions)} } })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(disguise)}`, command, "--version"],
    { encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

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

test("the command runs on this Node", () => {
  expect(runAs({})).toMatchObject({ status: 0, stderr: "" });
});
