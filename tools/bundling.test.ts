import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, transform } from "esbuild";
import { expect, test } from "vitest";
import { embedWorkerCode } from "./embed-worker-code.ts";
import { nodeTarget } from "./node-target.ts";

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

test("a host bundled into one ES module, as the docs say, runs with everything", async () => {
  const root = resolve(import.meta.dirname, "..");
  const docs = await readFile(join(root, "docs/embedding.md"), "utf8");
  const [, banner = ""] = /--banner:js='([^']+)'/.exec(docs) ?? [];
  const cache = join(root, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  // Where the native modules, which stay outside, are found.
  const folder = await mkdtemp(join(cache, "bundling-"));
  try {
    const outfile = join(folder, "host.mjs");
    await build({
      stdin: {
        contents: `
          import { createPosthorn } from "@posthorn/core";
          import { toNodeHandler } from "@posthorn/http";
          import { createCaptureMailer } from "@posthorn/mailer-smtp";
          import { createSqliteStorage } from "@posthorn/storage-sqlite";
          const storage = await createSqliteStorage({ filename: ":memory:" });
          const secretKey = "a secret key that only tests ever use, 0123456789";
          const posthorn = createPosthorn({ storage, mailer: createCaptureMailer(), secretKey });
          await posthorn.migrate();
          toNodeHandler(posthorn).close();
          await posthorn.close();
          console.log("served");`,
        resolveDir: join(root, "examples/own-transaction"),
      },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["posthorn-source"],
      external: ["better-sqlite3", "@node-rs/argon2"],
      banner: { js: banner },
      logLevel: "error",
    });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: 110_000 });
    expect(stdout).toBe("served\n");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a host bundled as CommonJS reads a large file in a thread, too", async () => {
  const root = resolve(import.meta.dirname, "..");
  const cache = join(root, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "bundling-"));
  try {
    const outfile = join(folder, "host.cjs");
    await build({
      stdin: {
        contents: `
          import Database from "better-sqlite3";
          import { createReadThread } from "./connections/read-thread.ts";
          const file = process.argv[2];
          new Database(file).exec("create table t (a); insert into t values (1)").close();
          const thread = createReadThread(file, []);
          thread.read("select a from t", [], "reader").then((rows) => {
            console.log(JSON.stringify(rows));
            return thread.close();
          });`,
        resolveDir: join(root, "packages/storage-sqlite/src"),
      },
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      conditions: ["posthorn-source"],
      external: ["better-sqlite3", "@node-rs/argon2"],
      logLevel: "error",
    });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, join(folder, "a.db")]);
    expect(stdout).toBe('[{"a":1}]\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("what is published keeps the literals of regular expressions, each of which V8 makes once", async () => {
  const { code } = await transform("export const isWord = (text) => /^\\p{L}+$/u.test(text);", nodeTarget);
  expect(code).toContain("/^\\p{L}+$/u");
});
