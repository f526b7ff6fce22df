import { readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { broken, type Finding, ok } from "./finding.ts";

const name = "open files";

/** Looks for processes that have a database file open which is not there any more: what they write is lost. Linux alone tells of it. */
export async function checkOpenFiles(filename: string, processes = "/proc"): Promise<Finding[]> {
  const path = join(await realpath(dirname(filename)), basename(filename));
  const gone = new Set([path, `${path}-wal`].map((one) => `${one} (deleted)`));
  const holders: { pid: string; file: string }[] = [];
  const pids = (await list(processes)).filter((entry) => /^\d+$/.test(entry));
  if (pids.length === 0) return [];
  for (const pid of pids) {
    const folder = join(processes, pid, "fd");
    const targets = await Promise.all(
      (await list(folder)).map((fd) => readlink(join(folder, fd)).catch(() => "")),
    );
    const file = targets.find((target) => gone.has(target));
    if (file !== undefined) holders.push({ pid, file: file.replace(/ \(deleted\)$/, "") });
  }
  const [first] = holders;
  if (first === undefined)
    return [ok(name, "every process that this user can see has the files that are there")];
  return [
    broken(
      name,
      `${first.file} was removed or replaced while process ${holders.map(({ pid }) => pid).join(", ")} uses it: what it accepts is lost`,
      "Stop that process, put the file back or restore a backup, and start.",
    ),
  ];
}

/** A folder's entries; none where it can't be read, as those of other users' processes. */
const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
