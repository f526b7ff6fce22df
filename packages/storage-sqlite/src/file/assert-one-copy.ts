import { readFileSync } from "node:fs";
import { StorageUnsuited } from "@posthorn/core/storage";
import { realPath } from "../connections/take-driver.ts";

/** The process's mappings, one per line; empty on systems other than Linux. */
const readMappings = (): string => {
  try {
    return readFileSync("/proc/self/maps", "utf8");
  } catch {
    return "";
  }
};

/**
 * Throws if two copies of SQLite in this process, such as better-sqlite3 and node:sqlite, have a file open in WAL mode:
 * each copy maps the beginning of the shared memory file once, however many connections it has. Only on Linux, where it
 * takes a fifth of a millisecond.
 */
export const assertOneCopy = (filename: string): void => {
  const file = realPath(filename);
  const name = `${file.replaceAll("\n", "\\012")}-shm`;
  const seen = new Set<string>();
  for (const line of readMappings().split("\n")) {
    // Addresses, rights, offset, device and inode, then the path.
    const [, offset = "", inode = "", path] =
      /^\S+ \S+ (\S+) (\S+ \S+) +(.*?)(?: \(deleted\))?$/.exec(line) ?? [];
    if (path !== name || Number.parseInt(offset, 16) !== 0) continue;
    if (seen.has(inode))
      throw new StorageUnsuited(
        `${file} is also open in this process by another copy of SQLite (node:sqlite, sqlite3, libSQL or a second better-sqlite3): neither sees the other's locks, and commits are lost. Use one better-sqlite3 for all, and give the storage its handle as database`,
      );
    seen.add(inode);
  }
};
