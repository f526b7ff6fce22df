import { closeSync, openSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { assertOneCopy } from "./assert-one-copy.ts";

/**
 * Creates a missing file, accessible only to its owner; SQLite gives its -wal and -shm files the same rights. Returns
 * whether the file was missing.
 */
export const makePrivateFile = (filename: string): boolean => {
  try {
    closeSync(openSync(filename, "wx", 0o600));
    return true;
  } catch (error) {
    // SQLite reports other faults of the path itself.
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
};

/** An open database's files. */
export interface FileWatch {
  /**
   * Rejects if later writes would be lost: the file, its WAL or the index of that was removed or replaced, or another
   * copy of SQLite in this process has the file open. The locks are on the index (`-shm`): who opens the file after it
   * was removed makes another, and both write at once.
   */
  assertSame(): Promise<void>;
}

/** The file's identity in the file system: `undefined` if it is missing, "unknown" if that can't be found out. */
const identityOf = async (path: string): Promise<string | undefined> =>
  await stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    ({ code }: NodeJS.ErrnoException) => (code === "ENOENT" ? undefined : "unknown"),
  );

/**
 * Remembers the files of an open database: by the path that was given, which may be a link, and by SQLite's own, beside
 * which it has the WAL and its index. Its connections must stay open as long: the last to close removes both. Rejects
 * if another copy of SQLite has the file open already.
 */
export const watchFile = async (given: string, file: string): Promise<FileWatch> => {
  // The current folder may change.
  const paths = new Set([resolve(given), file, `${file}-wal`, `${file}-shm`]);
  const known = new Map<string, string>();
  const assertSamePath = async (path: string) => {
    const identity = await identityOf(path);
    if (identity === "unknown") return;
    const before = known.get(path);
    if (before === undefined) {
      // The WAL and its index are created by the first write.
      if (identity !== undefined) known.set(path, identity);
    } else if (identity !== before) {
      const what = identity === undefined ? "removed" : "replaced";
      throw new Error(
        `${path} was ${what} while it is in use: restart, and restore a backup if anything is missing`,
      );
    }
  };
  const assertSame = async () => {
    for (const path of paths) await assertSamePath(path);
    assertOneCopy(file);
  };
  await assertSame();
  return { assertSame };
};

/** Ms between two checks. */
const checkMs = 5_000;

/**
 * Checks at intervals whether writes would be lost, and calls `onFault` once if so, with the reason and its error; never
 * after `close`, when the WAL may be gone.
 */
export const watchContinuously = (
  { assertSame }: FileWatch,
  onFault: (reason: string, error: unknown) => void,
): { close(): void } => {
  let hasEnded = false;
  const timer = setInterval(() => {
    assertSame().catch((error: Error) => {
      if (hasEnded) return;
      close();
      onFault(error.message, error);
    });
  }, checkMs).unref();
  const close = () => {
    hasEnded = true;
    clearInterval(timer);
  };
  return { close };
};
