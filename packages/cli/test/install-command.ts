import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const kept = join(root, "node_modules/.cache/installed");
let installed: string | undefined;

/**
 * The command as users have it, bundled from the sources as they stand: started from the sources themselves, each command would spend
 * twice the time on loading. Bundled once for a state of the sources, whoever asks. The path of what starts it.
 */
export function installCommand(): string {
  installed ??= install();
  return installed;
}

function install(): string {
  const home = join(kept, stateOfSources());
  const bin = join(home, "posthorn/bin/posthorn.js");
  const draft = `${home}.draft`;
  // Whoever is first bundles; the others wait for it, or take over where it died.
  while (!existsSync(bin)) {
    if (beginDraft(draft)) make(draft, home);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  removeOld();
  return bin;
}

/** Makes the folder to bundle into; `false` where another is at it. */
function beginDraft(draft: string): boolean {
  mkdirSync(kept, { recursive: true });
  if (ageOf(draft) > 60_000) rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft);
    return true;
  } catch {
    return false;
  }
}

function make(draft: string, home: string): void {
  try {
    const folder = join(draft, "posthorn");
    mkdirSync(folder);
    cpSync(join(root, "packages/cli/bin"), join(folder, "bin"), { recursive: true });
    cpSync(join(root, "packages/cli/package.json"), join(folder, "package.json"));
    const script = join(root, "tools/bundle-command.ts");
    const code = `import { bundleCommand } from ${JSON.stringify(script)}; await bundleCommand(process.argv[1]);`;
    const args = ["--input-type=module", "-e", code, join(folder, "dist")];
    execFileSync(process.execPath, args, { cwd: root });
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** What the bundle is made of, by name, size and time of change. */
function stateOfSources(): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const folder of ["tools", ...readdirSync(join(root, "packages")).map((one) => `packages/${one}`)])
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (!/(^|\/)(src|bin)\/|^[\w-]+\.(ts|json)$/.test(path) || path.includes("node_modules")) continue;
      const { size, mtimeMs } = statSync(join(root, folder, path));
      hash.update(`${folder}/${path} ${size} ${mtimeMs}\n`);
    }
  return hash.digest("hex").slice(0, 16);
}

/** A day is longer than any run that may still use one. */
function removeOld(): void {
  for (const name of readdirSync(kept)) {
    const path = join(kept, name);
    if (ageOf(path) > 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}

/** In ms; 0 where there is nothing, as somebody else may just have moved it away. */
function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
