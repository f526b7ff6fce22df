import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { packages } from "./packages.ts";

/** Runs every check that a change must pass. The last line summarises the tests. */
const report = "node_modules/.cache/tests.json";
mkdirSync("node_modules/.cache", { recursive: true });

const steps: [name: string, command: string, ...args: string[]][] = [
  ["format and lint", "npm", "run", "--silent", "lint"],
  ["types", "npm", "run", "--silent", "types"],
  ["tests", "npm", "test", "--", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
  ["pages in a browser, where there is one", "npm", "run", "--silent", "browser"],
  ["OpenAPI by Spectral", "node", "tools/lint-open-api.ts"],
  ["OpenAPI by Redocly", "redocly", "lint", "packages/http/openapi.json"],
  ["unused code", "npm", "run", "--silent", "unused"],
  ["build", "npm", "run", "--silent", "build"],
  ...packages.flatMap(({ folder }): [string, string, ...string[]][] => [
    [`package ${folder}: publint`, "publint", "--strict", `packages/${folder}`],
    [
      `package ${folder}: types resolve`,
      "attw",
      "--pack",
      `packages/${folder}`,
      "--profile",
      "esm-only",
      "--quiet",
    ],
  ]),
];

for (const [name, command, ...args] of steps) {
  const begun = performance.now();
  console.log(`\n── ${name}`);
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`── ${name} failed after ${seconds} s${error === undefined ? "" : `: ${error.message}`}`);
    tell();
    process.exit(1);
  }
  console.log(`── ${name}: ${seconds} s`);
}
tell();

function tell(): void {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
    console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
  } catch {
    console.log("\nThe tests have not run.");
  }
}
