import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { embedWorkerCode } from "./embed-worker-code.ts";

const inlining = resolve(import.meta.dirname, "../packages/core/src/content/inlining");
const host = `
  import { createInliner } from "./create-inliner.ts";
  const inliner = createInliner();
  inliner.inline({ html: "<p>{{name}}</p>", css: "p { color: red }" }, 1).then((result) => {
    console.log(JSON.stringify(result));
    return inliner.close();
  });
`;

test("a host bundled into one file far from any node_modules can inline styles", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bundling-"));
  const plugins = [embedWorkerCode()];
  try {
    for (const format of ["esm", "cjs"] as const) {
      const outfile = join(folder, `host.${format === "esm" ? "mjs" : "cjs"}`);
      await build({
        stdin: { contents: host, resolveDir: inlining },
        outfile,
        bundle: true,
        platform: "node",
        format,
        plugins,
        // A bundle of CommonJS has no URL of its own.
        logOverride: { "empty-import-meta": "silent" },
      });
      const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: 110_000 });
      expect(JSON.parse(stdout)).toEqual({ ok: true, html: '<p style="color: red;">{{name}}</p>' });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
