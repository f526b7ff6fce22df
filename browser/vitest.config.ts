import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** `npm run browser`: tests of the pages in a real browser, which not every machine has. */
export default defineConfig({
  resolve: { conditions: ["posthorn-source"] },
  ssr: { resolve: { conditions: ["posthorn-source"] } },
  test: {
    root: resolve(import.meta.dirname, ".."),
    include: ["browser/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
