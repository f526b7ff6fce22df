import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { growthPercent } from "./bound-garbage.ts";

test("this Node knows the option by which garbage is bounded: set later, an unknown one is passed over", () => {
  const node = (option: string) => spawnSync(process.execPath, [option, "--eval", ""]).status;
  expect(node(`--heap-growing-percent=${growthPercent}`)).toBe(0);
  expect(node(`--heap-growing-percents=${growthPercent}`)).not.toBe(0);
});
