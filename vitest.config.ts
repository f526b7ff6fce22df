import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun last, they would keep one core busy while the others wait. */
const slowest = [
  "packages/cli/test/durability.test.ts",
  "examples/own-transaction/other-libraries.test.ts",
  "packages/cli/test/",
  "tools/docs.test.ts",
  "packages/storage-",
  "packages/http/test/",
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slowest.findIndex((part) => moduleId.includes(part));
  return rank === -1 ? slowest.length : rank;
};

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/** Tests run on the source of all packages, without a build: the `posthorn-source` condition of each package. */
export default defineConfig({
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "examples/**/*.test.ts",
      "tools/**/*.test.ts",
    ],
    pool: "threads",
    execArgv: ["--conditions=posthorn-source"],
    // Node loads the modules itself, as for a user: transforming each was an eighth of the time.
    experimental: { viteModuleRunner: false },
    // Nothing is global in what is tested, so files may share loaded modules: a quarter of the time was loading them again.
    isolate: false,
    // Many tests wait for processes, servers and disks: one worker a core, and two for those who wait. A server that is given is one for all:
    // a transaction anywhere on it holds back the event stream, so that files take turns.
    maxWorkers: process.env["TEST_POSTGRES_URL"] === undefined ? availableParallelism() + 2 : 1,
    sequence: { sequencer: SlowestFirst },
    // Many tests start threads and processes from the TypeScript sources: what Node compiled for one is kept for the next.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    globalSetup: [
      "packages/storage-postgres/test/temporary-folder.ts",
      "packages/storage-postgres/test/global-setup.ts",
    ],
    // For what hangs. Whatever else is right passes on a machine that is much slower, or stands still for a moment.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A test that asserts nothing, or only where nobody came by, fails.
    expect: { poll: { timeout: 60_000 }, requireAssertions: true },
  },
});
