import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Maximum number of files: a folder with more is probably the wrong one, and each scan would be slow. */
const maxFiles = 5_000;

export interface Watching {
  /** Called once a change is complete: no file has changed since the previous scan. */
  onChange(): void;
  /** Called once when the folder can't be read, until it can be again: it is missing, or holds too many files. */
  onTrouble(message: string): void;
  /** Milliseconds between two scans. Default 250. */
  everyMs?: number;
}

/**
 * Polls a folder and its subfolders, comparing names, sizes and modification times. The system's change notifications
 * are not used: in containers and on shared or remote file systems they silently fail. Resolves after the first scan.
 */
export async function watchFolder(
  path: string,
  { onChange, onTrouble, everyMs = 250 }: Watching,
): Promise<{ stop(): void }> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let told: string | undefined;
  let seen: string | undefined;
  let last: string | undefined;
  const look = async (): Promise<void> => {
    try {
      const now = await fingerprint(path);
      told = undefined;
      // An editor may write more than once per save, so a change must settle first.
      if (now === last && now !== seen) {
        seen = now;
        if (!stopped) onChange();
      }
      seen ??= now;
      last = now;
    } catch (error) {
      // Every file in it counts as new once the folder exists.
      seen ??= "";
      const { message } = error as Error;
      if (told !== message && !stopped) onTrouble(message);
      told = message;
    }
    if (!stopped) timer = setTimeout(look, everyMs);
  };
  await look();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function fingerprint(root: string): Promise<string> {
  const marks: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      // A subfolder may disappear during the scan.
      if (folder !== root && error.code === "ENOENT") return [];
      throw new Error(error.code === "ENOENT" ? `There is no folder ${root}` : error.message);
    });
    for (const entry of entries) {
      if (isLeftOut(entry)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path);
      else {
        const found = await stat(path).catch(() => undefined);
        if (found !== undefined) marks.push(`${path} ${found.size} ${found.mtimeMs} ${found.ino}`);
      }
      if (marks.length > maxFiles)
        throw new Error(`${root} holds more than ${maxFiles} files, too many to watch`);
    }
  };
  await walk(root);
  return marks.sort().join("\n");
}

const isLeftOut = ({ name }: Dirent): boolean => name.startsWith(".") || name === "node_modules";
