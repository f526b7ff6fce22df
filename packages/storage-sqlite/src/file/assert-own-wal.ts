import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { StorageUnsuited } from "@posthorn/core/storage";

/** Place and value of the header's write version in a file that is not in WAL mode (sqlite.org/fileformat.html, 1.3.3). */
const [writeVersionAt, rollbackMode] = [18, 1];

/**
 * Throws if the -wal file beside a database is another database's: SQLite would write that one's pages over it. A file
 * enters WAL mode before it has a WAL, and copies by `backupSqlite` are not in it: beside such a copy, any WAL was left by
 * the database whose place it took. Only on Linux, and not for a file that this process has open: closing any descriptor
 * of it would release all of SQLite's locks (sqlite.org/howtocorrupt.html, 2.2).
 */
export function assertOwnWal(filename: string): void {
  const found = statSync(filename, { throwIfNoEntry: false });
  if (found === undefined) return;
  const file = realpathSync(filename);
  const wal = `${file}-wal`;
  // In this order: another process may be about to enter WAL mode.
  if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) === 0 || mayBeOpenHere(found)) return;
  if (writeVersionOf(file) === rollbackMode)
    throw new StorageUnsuited(
      `${wal} is left from the database that ${file} replaces, and would be mixed into it: remove ${wal} and ${file}-shm`,
    );
}

function mayBeOpenHere({ dev, ino }: Stats): boolean {
  try {
    return readdirSync("/proc/self/fd").some((descriptor) => {
      const one = statOf(Number(descriptor));
      return one?.ino === ino && one.dev === dev;
    });
  } catch {
    return true;
  }
}

/** `undefined` for a descriptor that is closed by now, such as that of the listing itself. */
function statOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/** `undefined` if the file is empty, or can't be read, which SQLite itself reports. */
function writeVersionOf(filename: string): number | undefined {
  const byte = Buffer.alloc(1);
  try {
    const file = openSync(filename, "r");
    try {
      return readSync(file, byte, 0, 1, writeVersionAt) === 1 ? byte[0] : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
