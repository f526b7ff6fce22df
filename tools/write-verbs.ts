import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { printVerbs, verbsFolder } from "./verbs/print-verbs.ts";

/** Writes the interfaces of the public verbs from the use cases. */
const folder = join(resolve(import.meta.dirname, ".."), verbsFolder);
const files = await printVerbs();
for (const name of globSync("**/*.ts", { cwd: folder }))
  if (!files.has(name) && name !== "call-options.ts") rmSync(join(folder, name));
for (const [name, text] of files) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
execFileSync("npx", ["biome", "check", "--write", "--log-level=error", folder], { stdio: "inherit" });
