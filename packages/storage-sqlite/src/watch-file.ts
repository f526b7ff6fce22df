import { closeSync, openSync } from "node:fs";
import { stat } from "node:fs/promises";
import { StorageUnavailable } from "@posthorn/core/storage";

/** Makes the file for its owner alone, where there is none; SQLite gives its -wal and -shm the same rights. */
export const makePrivateFile = (filename: string): void => {
  try {
    closeSync(openSync(filename, "wx", 0o600));
  } catch (error) {
    // What else is wrong with the place, SQLite tells as its own.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return;
  }
};

/** An open database's own files, by what the file system calls them. */
export interface FileWatch {
  /** Rejects with `StorageUnavailable` where the file or its WAL was removed or replaced: what is written then is lost. */
  assertSame(): Promise<void>;
}

const identityOf = async (path: string): Promise<string | undefined> =>
  await stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );

/** Remembers which files an open database is made of. Its connections must stay open as long: the last one to close removes the WAL. */
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
          // The WAL comes with the first write.
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
