import { cpSync, globSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Patterns, not folders: what else lies there, such as an environment file with secrets, is published by nobody. */
const patterns = [
  "docs/*.md",
  "docs/spec/reliability.md",
  "examples/*.{md,ts}",
  "examples/*/{package.json,*.ts}",
  "examples/next/{app,lib}/**/*.ts",
  "deploy/{Caddyfile,Containerfile,compose.yaml,nginx.conf}",
  "packages/core/src/service/options.ts",
  "packages/core/src/inbound/rules/bounces/bounce-rules.ts",
];

/** Paths of the guides, and of what their links lead to, relative to the root. */
export const guides = (): string[] => globSync(patterns, { cwd: root });

/**
 * Puts the guides in a folder, with what they link to in the same places relative to them: who installed the packages
 * has no repository.
 */
export function packGuides(folder: string): void {
  for (const path of guides()) cpSync(join(root, path), join(folder, path));
}
