import { accessSync, constants, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backupSqlite } from "@posthorn/storage-sqlite";
import { endingSignals } from "../../program/ending-signals.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { findCause } from "../../program/errors/database-fault.ts";

/**
 * Backs up a database to a file. An existing file is replaced only once the backup is complete and sound; an interruption,
 * SIGTERM, SIGQUIT and SIGHUP included, leaves it unchanged and throws a `CliError`.
 */
export async function writeBackup(source: string, file: string, signal: AbortSignal): Promise<void> {
  removeStale(file);
  const partial = `${file}.${process.pid}.partial`;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const name of endingSignals) process.on(name, end);
  try {
    await backupSqlite(source, partial, {
      signal: AbortSignal.any([signal, ended.signal]),
      check: true,
    });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    if (!signal.aborted && !ended.signal.aborted) throw failed(error, source, file);
    throw new CliError("interrupted", `The backup failed: ${file} is unchanged.`, undefined, {
      cause: error,
    });
  } finally {
    for (const name of endingSignals) process.removeListener(name, end);
  }
}

/** Either file may be at fault, or the disk that it is on; SQLite writes beside the source, too. */
function failed(error: unknown, source: string, file: string): unknown {
  const cause = findCause(error);
  if (cause === undefined) return error;
  const { failure = "unavailable", words, hint, isDamage = false } = cause;
  const ofSource =
    failure === "conflict" || isDamage || (failure === "not_allowed" && isWritable(dirname(file)));
  const place = ofSource ? `of ${source}` : `to ${file}`;
  return new CliError(failure, `The backup ${place} failed: ${words}.`, hint, { cause: error });
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Deletes the partial files of earlier backups to the same file that were killed, or whose machine stopped. */
function removeStale(file: string): void {
  const folder = dirname(file);
  const before = `${basename(file)}.`;
  for (const name of listFolder(folder)) {
    if (!name.startsWith(before)) continue;
    const pid = /^(\d+)\.partial(-journal)?$/.exec(name.slice(before.length))?.[1];
    if (pid !== undefined && !isOther(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** The names in a folder; empty if the folder is missing, which the backup itself reports. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether the number belongs to another process; in a container, this process often has its predecessor's. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
