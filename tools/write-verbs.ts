import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { printVerbs, verbsFolder } from "./verbs/print-verbs.ts";

/** Writes the interfaces of the public verbs from the use cases, and the words of the API's reference. */
const root = resolve(import.meta.dirname, "..");
const files = await printVerbs();
for (const name of globSync(`${verbsFolder}/**/*.ts`, { cwd: root }))
  if (!files.has(name) && !name.endsWith("/call-options.ts")) rmSync(join(root, name));
for (const [name, text] of files) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
execFileSync("npx", ["biome", "check", "--write", "--log-level=error", ...files.keys()], {
  stdio: "inherit",
  cwd: root,
});
