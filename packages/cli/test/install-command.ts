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
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const kept = join(root, "node_modules/.cache/installed");
let installed: string | undefined;

/**
 * Installs the command as users have it, bundled from the current sources, because loading the sources themselves would
 * double each command's time. Bundled once per state of the sources, for all tests. Returns the path of its start file.
 */
export function installCommand(): string {
  installed ??= install();
  return installed;
}

function install(): string {
  const home = join(kept, stateOfSources());
  const bin = join(home, "posthorn/bin/posthorn.js");
  const draft = `${home}.draft`;
  // The first process bundles; the others wait, or take over if it died.
  while (!existsSync(bin)) {
    if (beginDraft(draft)) make(draft, home);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  removeOld();
  return bin;
}

/** Creates the folder to bundle into; `false` if another process is doing so. */
function beginDraft(draft: string): boolean {
  mkdirSync(kept, { recursive: true });
  if (ageOf(draft) > 10_000 && !isBeingMade(draft)) rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft);
    writeFileSync(join(draft, "pid"), String(process.pid));
    return true;
  } catch {
    return false;
  }
}

/** Whether the process that began to bundle is still there: on a busy machine it takes more than a minute. */
function isBeingMade(draft: string): boolean {
  try {
    const pid = Number(readFileSync(join(draft, "pid"), "utf8"));
    return pid > 0 && process.kill(pid, 0);
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

/** State of the bundle's sources: name, size and modification time. */
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

/** No run that may still use one lasts for a day. */
function removeOld(): void {
  for (const name of readdirSync(kept)) {
    const path = join(kept, name);
    if (ageOf(path) > 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}

/** Age in ms; 0 if there is nothing, because another process may just have moved it. */
function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
