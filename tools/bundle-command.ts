import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { embedWorkerCode } from "./embed-worker-code.ts";
import { nodeTarget } from "./node-target.ts";
import { readLicences } from "./read-licences.ts";

const home = new URL("../packages/cli/", import.meta.url);

/**
 * Bundles the command with our packages and its libraries: loading a thousand files takes three times as long as
 * loading sixty. The dependencies in its manifest stay outside: native code, and network code, so that it can be
 * patched without us. Returns the licences of bundled packages. Throws if the bundle would import anything else, or a
 * dynamic import would not resolve.
 */
export async function bundleCommand(folder: string): Promise<string> {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", home), "utf8"));
  const outside = Object.keys(dependencies);
  // The thread that delivers has a bundle of its own: in one with the command it would load what both import by a module
  // that exports everything, such as the library that validates input.
  const [index, thread] = await Promise.all([
    bundle("src/index.ts", folder, outside),
    bundle("src/service/delivery/delivery-thread.ts", folder, outside),
  ]);
  return [readLicences([...new Set([...index.inputs, ...thread.inputs])]), index.ofWorker].join(
    `\n${"=".repeat(80)}\n\n`,
  );
}

/** Bundles one entry point. Returns the paths of what is in it, and the licences in the code of inlining threads. */
async function bundle(
  entry: string,
  folder: string,
  outside: readonly string[],
): Promise<{ inputs: string[]; ofWorker: string }> {
  let ofWorker = "";
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL(entry, home))],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    ...nodeTarget,
    conditions: ["posthorn-source"],
    external: [...outside, "pg-native"],
    sourcemap: true,
    sourcesContent: false,
    // V8 keeps the source in each thread: without comments and indentation it is a third smaller. A dash in a comment made
    // it twice as large, with two bytes a character.
    minifyWhitespace: true,
    lineLimit: 120,
    metafile: true,
    legalComments: "none",
    chunkNames: "[name]-[hash]",
    // Libraries in CommonJS require Node's modules by a function that an ES module does not have.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
    plugins: [
      embedWorkerCode((licences) => {
        ofWorker = licences;
      }),
      withoutLocales,
    ],
    logLevel: "warning",
  });
  assertResolved(metafile, outside);
  return { inputs: Object.keys(metafile.inputs), ofWorker };
}

function assertResolved({ outputs }: Metafile, outside: readonly string[]): void {
  for (const [file, { imports }] of Object.entries(outputs))
    for (const { path, external } of imports)
      if (external === true && !isBuiltin(path) && !outside.some((one) => `${path}/`.startsWith(`${one}/`)))
        throw new Error(`${file} imports ${path}, which packages/cli/package.json does not depend on`);
  for (const { entryPoint = "", exports } of Object.values(outputs))
    if (entryPoint.includes("node_modules/") && exports.join() === "default")
      throw new Error(
        `${entryPoint} is CommonJS, of which a dynamic import gets no names here: let a module of ours import it, and import that`,
      );
}

/** Leaves out zod's messages in fifty languages, which its namespace exports and nothing uses: 370 KB of source. */
const withoutLocales: Plugin = {
  name: "without-locales",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "" }));
  },
};
