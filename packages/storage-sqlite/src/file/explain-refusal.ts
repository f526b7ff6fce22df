import { accessSync, constants } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Names the file that SQLite could not open or write, and why the system refuses it: SQLite's own errors tell neither,
 * nor that it writes beside the file, too. Returns any other error as it is. `assertWritable` throws the system's refusal
 * of a file or folder.
 */
export function explainRefusal(error: unknown, filename: string, assertWritable = access): unknown {
  const code = String((error as { code?: unknown } | undefined)?.code);
  if (!/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/.test(code)) return error;
  const paths = [filename, dirname(resolve(filename)), `${filename}-wal`, `${filename}-shm`];
  const refusal = findRefusal(paths, assertWritable);
  if (refusal === undefined && code.startsWith("SQLITE_IOERR")) return error;
  const why = refusal === undefined ? "" : ` (${refusal.message})`;
  return new Error(
    `${filename} can't be opened for writing: ${(error as Error).message}. This process must be able to write the file, those beside it (-wal, -shm) and its folder${why}`,
    { cause: refusal ?? error },
  );
}

const access = (path: string): void => accessSync(path, constants.W_OK);

function findRefusal(paths: readonly string[], assertWritable: (path: string) => void): Error | undefined {
  for (const path of paths) {
    try {
      assertWritable(path);
    } catch (error) {
      // Missing files are created; a missing folder is what SQLite's own message tells.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return error as Error;
    }
  }
  return undefined;
}
