import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { v8Options } from "./tune-v8.ts";

test("this version of Node knows every V8 option that is set", () => {
  const node = (...options: string[]) => spawnSync(process.execPath, [...options, "--eval", ""]).status;
  expect(node(...v8Options)).toBe(0);
  expect(node("--heap-growing-percents=100")).not.toBe(0);
});

/** Keeps objects, as loading a program does, and prints the size of the young generation in MB. */
const program = `
import { getHeapSpaceStatistics } from "node:v8";
import { tuneV8 } from "${new URL("tune-v8.ts", import.meta.url)}";

if (process.argv[1] === "tuned") tuneV8();
const kept = [];
for (let turn = 0; turn < 30; turn += 1) {
  kept.push(Array.from({ length: 20_000 }, (_, index) => ({ turn, index })));
  await new Promise((resolve) => setImmediate(resolve));
}
const { space_size } = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
console.log(space_size / 2 ** 20);
`;

test("the young generation does not grow while a tuned process loads", () => {
  const sizeOf = (name: string) => {
    const options = ["--conditions=posthorn-source", "--input-type=module", "--eval", program, name];
    return Number(spawnSync(process.execPath, options, { encoding: "utf8" }).stdout);
  };
  const [tuned, other] = [sizeOf("tuned"), sizeOf("other")];
  expect(tuned).toBeGreaterThan(0);
  expect(tuned).toBeLessThan(other / 2);
});
