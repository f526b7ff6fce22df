import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CliError } from "./cli-error.ts";
import type { Failure } from "./exit-codes.ts";

/** What it means that there is no file descriptor left. */
export const noDescriptor = {
  words: "this process may not open another file",
  hint: "Raise the limit, such as with ulimit -n 1024, or LimitNOFILE of a systemd unit.",
};

/** What Node's error codes of files and folders mean (errno(3)). */
const meanings: Readonly<Record<string, { failure: Failure; words: string; hint?: string }>> = {
  ENOENT: { failure: "not_found", words: "there is no such file or folder" },
  EEXIST: { failure: "conflict", words: "it exists already", hint: "Name another, or remove it first." },
  EISDIR: { failure: "usage", words: "it is a folder" },
  ENOTDIR: { failure: "usage", words: "it is not a folder" },
  EACCES: { failure: "not_allowed", words: "this user may not" },
  EPERM: { failure: "not_allowed", words: "this user may not" },
  EROFS: { failure: "not_allowed", words: "its file system is read-only" },
  ENOSPC: { failure: "failed", words: "the disk is full", hint: "Free some space there." },
  EDQUOT: { failure: "failed", words: "this user's share of the disk is full", hint: "Free some space." },
  EMFILE: { failure: "unavailable", ...noDescriptor },
  ELOOP: { failure: "usage", words: "its symbolic links lead in a circle" },
  ENAMETOOLONG: { failure: "usage", words: "its name is too long" },
};

/**
 * Converts an error of the file system to one for people; `undefined` for any other error. `assertWritable` throws the
 * error of a folder that can't be written.
 */
export function fileFault(error: unknown, assertWritable = accessFolder): CliError | undefined {
  const { code = "", path, syscall } = error as NodeJS.ErrnoException;
  const isUnmade = code === "ENOENT" && syscall === "mkdir" && path !== undefined;
  const meaning = meanings[isUnmade ? codeOfUnmade(path, assertWritable) : code];
  if (meaning === undefined || typeof syscall !== "string") return undefined;
  if (syscall === "uv_cwd")
    return new CliError(
      meaning.failure,
      "The current folder is gone, or can't be read.",
      "Change to another.",
      {
        cause: error,
      },
    );
  const reads = /^(read|scandir|stat|lstat|access|opendir)$/.test(syscall);
  const what = `${path ?? "A file"} can't be ${reads ? "read" : "opened or written"}`;
  return new CliError(meaning.failure, `${what}: ${meaning.words}.`, meaning.hint, { cause: error });
}

const accessFolder = (folder: string): void => accessSync(folder, constants.W_OK);

/** Node calls a folder missing, with the folders above it, if their file system is read-only. */
function codeOfUnmade(path: string, assertWritable: (folder: string) => void): string {
  let above = dirname(resolve(path));
  while (!existsSync(above)) above = dirname(above);
  try {
    assertWritable(above);
    return "ENOENT";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  }
}

/** Throws the error of a file or folder that a command was to read, by the name that its user gave it. */
export function throwUnreadable(error: unknown, kind: "file" | "folder", path: string): never {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") throw new CliError("not_found", `There is no ${kind} ${path}.`);
  const { failure, words } = meanings[code] ?? { failure: "failed", words: message };
  throw new CliError(failure, `${path} can't be read: ${words}.`, undefined, { cause: error });
}
