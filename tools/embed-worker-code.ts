import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { nodeTarget } from "./node-target.ts";
import { readLicences } from "./read-licences.ts";

const inlining = resolve(import.meta.dirname, "../packages/core/src/content/inlining");

/** Bundles the inlining worker with all its imports as one script; returns it with the licences of its packages. */
async function bundleWorker(): Promise<{ code: string; licences: string }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(inlining, "inline-worker.ts")],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: "node",
    // A worker started from text runs as CommonJS.
    format: "cjs",
    ...nodeTarget,
    legalComments: "none",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("the worker came to no file");
  return { code: file.text, licences: readLicences(Object.keys(metafile.inputs)) };
}

/**
 * Puts the worker's script into its placeholder module, so that a service bundled into one file still finds its worker.
 * `tellLicences` receives the licences to write beside the output.
 */
export function embedWorkerCode(tellLicences: (text: string) => void = () => {}): Plugin {
  let bundled: ReturnType<typeof bundleWorker> | undefined;
  return {
    name: "embed-worker-code",
    setup({ onLoad }) {
      const place = join(inlining, "worker-code.ts");
      if (!existsSync(place)) throw new Error(`${dirname(place)} has no place for the worker's script`);
      onLoad({ filter: /[\\/]inlining[\\/]worker-code\.ts$/ }, async () => {
        bundled ??= bundleWorker();
        const { code, licences } = await bundled;
        tellLicences(licences);
        return { contents: `export const workerCode = ${JSON.stringify(code)};`, loader: "js" };
      });
    },
  };
}
