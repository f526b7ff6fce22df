import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { contractFolder, printContract } from "./client/print-contract.ts";
import { routeTable } from "./docs/route-table.ts";

/**
 * Writes the files derived from the route table: its table in docs/api.md, between its marks, and the client's
 * contract.
 */
const root = resolve(import.meta.dirname, "..");
const file = join(root, "docs/api.md");
const text = readFileSync(file, "utf8");
writeFileSync(
  file,
  text.replace(/(<!-- routes -->\n).*?(\n<!-- end -->)/s, (_, begin, end) => `${begin}${routeTable()}${end}`),
);

const folder = join(root, contractFolder);
const files = printContract();
for (const name of globSync("**/*.ts", { cwd: folder })) if (!files.has(name)) rmSync(join(folder, name));
for (const [name, content] of files) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}
execFileSync("npx", ["biome", "check", "--write", "--log-level=error", folder], { stdio: "inherit" });
