import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { v8Options } from "./tune-v8.ts";

test("this version of Node knows every V8 option that is set", () => {
  const node = (...options: string[]) => spawnSync(process.execPath, [...options, "--eval", ""]).status;
  expect(node(...v8Options)).toBe(0);
  expect(node("--heap-growing-percents=100")).not.toBe(0);
});
