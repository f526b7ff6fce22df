import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { bundleCommand } from "./bundle-command.ts";
import { embedWorkerCode } from "./embed-worker-code.ts";
import { nodeTarget } from "./node-target.ts";
import { packGuides } from "./pack-guides.ts";
import { packReference } from "./pack-reference.ts";
import { packages } from "./packages.ts";

const root = new URL("..", import.meta.url);

for (const { folder } of packages) {
  rmSync(new URL(`packages/${folder}/dist`, root), { recursive: true, force: true });
  rmSync(new URL(`node_modules/.cache/tsc/${folder}.tsbuildinfo`, root), { force: true });
}
// Declarations come from the compiler, JavaScript from the bundler, which can't make declarations with this compiler.
execFileSync("tsc", ["-b", ...packages.map(({ folder }) => `packages/${folder}`)], {
  cwd: root,
  stdio: "inherit",
});
for (const { folder, entries } of packages.filter((one) => one.folder !== "cli")) {
  const home = new URL(`packages/${folder}/`, root);
  await build({
    config: false,
    silent: true,
    dts: false,
    clean: false,
    entry: Object.fromEntries(
      Object.entries(entries).map(([name, path]) => [name, new URL(path, home).pathname]),
    ),
    outDir: new URL("dist", home).pathname,
    format: ["esm"],
    target: nodeTarget.target,
    platform: "node",
    splitting: true,
    sourcemap: true,
    // The sources are published as files, so that the maps need not contain them.
    esbuildOptions: (options) => {
      options.sourcesContent = false;
      options.supported = nodeTarget.supported;
    },
    external: [/^[^./]/],
    esbuildPlugins: [
      embedWorkerCode((licences) =>
        writeFileSync(new URL("dist/posthorn-inline-worker.LICENSES.txt", home), licences),
      ),
    ],
    tsconfig: new URL("tsconfig.json", home).pathname,
  });
  console.log(`built ${folder}`);
}
const command = new URL("packages/cli/dist/", root);
writeFileSync(new URL("LICENSES.txt", command), await bundleCommand(fileURLToPath(command)));
console.log("bundled cli");
await packReference(command);
console.log("packed the reference");
for (const folder of ["core", "cli"])
  packGuides(fileURLToPath(new URL(`packages/${folder}/dist/guides/`, root)));
console.log("packed the guides");
