import { readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A process that has a file open. */
export interface Holder {
  pid: number;
  /** Path of the file as Linux shows it: with ` (deleted)` at the end if it was removed. */
  file: string;
}

/** Path of a file, which may be gone, as Linux shows it: its folder has no links. */
export const realPathOf = async (filename: string): Promise<string> =>
  join(await realpath(dirname(filename)), basename(filename));

/**
 * Returns the processes that have one of the files open, each once. `undefined` if the system doesn't tell: only Linux
 * does, for processes that this user may inspect.
 */
export async function findHolders(
  files: ReadonlySet<string>,
  processes = "/proc",
): Promise<Holder[] | undefined> {
  const pids = (await list(processes)).filter((entry) => /^\d+$/.test(entry));
  if (pids.length === 0) return undefined;
  const holders: Holder[] = [];
  for (const pid of pids.map(Number)) {
    const folder = join(processes, String(pid), "fd");
    const targets = await Promise.all(
      (await list(folder)).map((fd) => readlink(join(folder, fd)).catch(() => "")),
    );
    const file = targets.find((target) => files.has(target));
    if (file !== undefined) holders.push({ pid, file });
  }
  return holders;
}

/** Lists a folder; returns nothing if it can't be read, like those of other users' processes. */
const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
