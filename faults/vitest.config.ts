import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { reportTable } from "./report-table.ts";

/**
 * `npm run faults`: one fault at a time, because they affect processes, disks and clocks. `npm run faults -- disk` runs
 * those of one file.
 */
export default defineConfig({
  resolve: { conditions: ["posthorn-source"] },
  ssr: { resolve: { conditions: ["posthorn-source"] } },
  test: {
    root: resolve(import.meta.dirname, ".."),
    include: ["faults/*.test.ts"],
    reporters: ["default", reportTable],
    globalSetup: "packages/storage-postgres/test/global-setup.ts",
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
