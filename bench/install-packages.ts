import { execFileSync } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * Builds and packs the packages and installs the tarballs in a folder, as a user would; returns the path of the
 * command. A folder named by `BENCH_INSTALLED` is used as it is.
 */
export function installPackages(folder: string): string {
  const home = process.env["BENCH_INSTALLED"] ?? join(folder, "installed");
  const command = join(home, "node_modules/posthorn/bin/posthorn.js");
  if (process.env["BENCH_INSTALLED"] !== undefined) return command;
  const run = (cwd: string, ...args: string[]): void =>
    void execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  run(root, "run", "--silent", "build");
  mkdirSync(home);
  const published = globSync("packages/*", { cwd: root }).flatMap((name) => ["--workspace", name]);
  run(root, "pack", "--silent", "--pack-destination", home, ...published);
  run(home, "init", "--yes");
  run(
    home,
    "install",
    "--silent",
    "--no-audit",
    "--no-fund",
    ...globSync("*.tgz", { cwd: home }).map((name) => `./${name}`),
  );
  return command;
}
