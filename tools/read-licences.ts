import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Returns the licence of each package to which one of the files belongs. */
export function readLicences(files: string[]): string {
  const homes = files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(resolve(path))?.[0] ?? []);
  const texts = [...new Set(homes)].sort().map((home) => {
    const { name, version, license } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    const file = readdirSync(home).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(home, file), "utf8").trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
