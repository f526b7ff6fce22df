import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests run on the source of all packages, without a build: the `posthorn-source` condition of each package. */
export default defineConfig({
  resolve: { conditions: ["posthorn-source"] },
  ssr: { resolve: { conditions: ["posthorn-source"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "examples/**/*.test.ts",
      "tools/**/*.test.ts",
    ],
    pool: "threads",
    // Many tests wait for processes, servers and disks: one worker a core, and one for those who wait.
    maxWorkers: availableParallelism() + 1,
    globalSetup: "packages/storage-postgres/test/global-setup.ts",
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
