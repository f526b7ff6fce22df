import { closeSync, openSync } from "node:fs";
import { stat } from "node:fs/promises";
import { StorageUnavailable } from "@posthorn/core/storage";

/** Creates a missing file, accessible only to its owner; SQLite gives its -wal and -shm files the same rights. */
export const makePrivateFile = (filename: string): void => {
  try {
    closeSync(openSync(filename, "wx", 0o600));
  } catch (error) {
    // SQLite reports other faults of the path itself.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return;
  }
};

/** An open database's files, identified by the file system. */
export interface FileWatch {
  /** Rejects with `StorageUnavailable` if the file or its WAL was removed or replaced: later writes would be lost. */
  assertSame(): Promise<void>;
}

const identityOf = async (path: string): Promise<string | undefined> =>
  await stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );

/**
 * Remembers the files of an open database. Its connections must stay open as long: the last to close removes the WAL.
 */
export const watchFile = async (filename: string): Promise<FileWatch> => {
  const known = new Map<string, string>();
  for (const path of [filename, `${filename}-wal`]) {
    const identity = await identityOf(path);
    if (identity !== undefined) known.set(path, identity);
  }
  return {
    async assertSame() {
      for (const path of [filename, `${filename}-wal`]) {
        const identity = await identityOf(path);
        const before = known.get(path);
        if (before === undefined) {
          // The WAL is created by the first write.
          if (identity !== undefined) known.set(path, identity);
        } else if (identity !== before) {
          const what = identity === undefined ? "removed" : "replaced";
          throw new StorageUnavailable(
            `${path} was ${what} while it is in use: restart, and restore a backup if anything is missing`,
          );
        }
      }
    },
  };
};
