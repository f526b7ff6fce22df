import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { halfMb } from "./young-generation.ts";

/** Lets the young generation grow to 2 MB a half first, as loading a program does, and prints its size under load, MB. */
const program = `
import { getHeapSpaceStatistics } from "node:v8";
import { sizeYoungGeneration } from "${new URL("young-generation.ts", import.meta.url)}";

const size = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size / 2 ** 20;
let kept = [];
while (size() < 4) kept.push({ kept: kept.length });
sizeYoungGeneration();
for (let turn = 0; turn < 30; turn += 1) {
  kept = Array.from({ length: 60_000 }, (_, index) => ({ turn, index }));
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(size());
`;

test("the young generation grows to its limit and no further, whatever its previous size", () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=posthorn-source", "--input-type=module", "--eval", program],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  // V8 grows it by whole factors: at least beyond the half of the limit.
  expect(Number(stdout)).toBeGreaterThan(halfMb);
  expect(Number(stdout)).toBeLessThanOrEqual(2 * halfMb);
});
