import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Logger, Storage } from "@posthorn/core";
import { silentLogger } from "@posthorn/core/internal";
import { devFolder } from "../../commands/dev/dev-settings.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { databaseFault } from "../../program/errors/database-fault.ts";
import { sentence } from "../../program/errors/sentence.ts";
import { withHost } from "../../program/settings/postgres-url.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { defined } from "../../program/verbs/defined.ts";

type Urls = Pick<SettingValues, "database_url"> & Partial<Pick<SettingValues, "database_listen_url">>;

export interface OpenStorageOptions {
  /** Whether a missing SQLite file is created. Default: it is an error. */
  make?: boolean;
  /** Whether the schema is brought up to date. Default: a SQLite file without tables of Posthorn is left as it is. */
  migrates?: boolean;
  logger?: Logger;
  /** Called once if the disk failed to store a commit: the process must end. */
  onFatal?: (error: unknown) => void;
  /** Lock for writes to a SQLite file, shared by the threads of this process. */
  writeTurns?: SharedArrayBuffer | undefined;
}

/** Returns the path of the SQLite file; `undefined` for another database. */
export function sqliteFile(databaseUrl: string): string | undefined {
  if (!databaseUrl.startsWith("sqlite:")) return undefined;
  return databaseUrl.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
}

/** Describes a database without the secrets in its URL. */
export function placeOf(databaseUrl: string): string {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined) return `The database ${file === ":memory:" ? "in memory" : resolve(file)}`;
  const complete = withHost(databaseUrl);
  const { hostname, port, pathname, searchParams } = new URL(complete);
  const name = readable(pathname.slice(1));
  const named = searchParams.get("host") || (complete === databaseUrl ? hostname.replace(/%2f/gi, "/") : "");
  // What is left out is taken from the environment by `pg`, whose default is no socket, unlike libpq's.
  const { PGHOST, PGPORT } = process.env;
  const at = [named || PGHOST || "localhost", searchParams.get("port") || port || PGPORT];
  return `The database ${name === "" ? "" : `"${name}" `}at ${at.filter(Boolean).join(":")}`;
}

/** A part of a URL as `pg` reads it; as it is written if that can't be decoded. */
function readable(part: string): string {
  try {
    return decodeURI(part);
  } catch {
    return part;
  }
}

/**
 * Opens the database only. Throws a `CliError` that names it and describes the fault; exit code 3 if it does not exist.
 * For a SQLite file without tables of Posthorn an empty storage is opened instead, unless it is to have them.
 */
export async function openStorage(
  { database_url, database_listen_url }: Urls,
  { make = false, migrates = make, logger = silentLogger, onFatal, writeTurns }: OpenStorageOptions = {},
): Promise<Storage> {
  const named = sqliteFile(database_url);
  if (named !== undefined) assertFile(named, { make });
  try {
    if (named !== undefined) {
      const [{ createSqliteStorage }, { isForeignFile }] = await Promise.all([
        import("@posthorn/storage-sqlite"),
        import("@posthorn/storage-sqlite/internal"),
      ]);
      // Opened, another program's file would be in WAL mode from then on.
      const filename = !migrates && (await isForeignFile(named)) ? ":memory:" : named;
      return await createSqliteStorage({ filename, ...defined({ onFatal, writeTurns }) });
    }
    const { createPostgresStorage } = await import("@posthorn/storage-postgres");
    return await createPostgresStorage({
      connectionString: database_url,
      ...defined({ listenConnectionString: database_listen_url }),
      logger,
    });
  } catch (error) {
    throw databaseFault(error, placeOf(database_url));
  }
}

/** Throws a `CliError` if there is no SQLite file of this name, unless it is to be made, or if it is a folder. */
export function assertFile(filename: string, { make, hint }: { make: boolean; hint?: string }): void {
  if (!make) assertThere(filename, hint);
  if (statSync(filename, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CliError("usage", `${resolve(filename)} is a folder.`, "Name the SQLite file in it.");
}

function assertThere(filename: string, hint?: string): void {
  if (filename !== ":memory:" && existsSync(filename)) return;
  throw new CliError(
    "not_found",
    filename === ":memory:"
      ? "A database in memory exists only in the process that created it."
      : `There is no database at ${resolve(filename)}.`,
    hint ??
      (basename(dirname(resolve(filename))) === devFolder
        ? "Change to the folder in which posthorn dev runs, or run it here: posthorn dev"
        : "Name it with --database-url, or the service's settings with --environment-file. To create one here: posthorn migrate"),
  );
}

/**
 * Brings the schema up to date; returns the names of the migrations that ran. Throws a `CliError` that names the
 * database, where it is unavailable or another version migrated it.
 */
export async function migrateStorage(storage: Storage, databaseUrl: string): Promise<string[]> {
  try {
    return await storage.migrate();
  } catch (error) {
    const place = placeOf(databaseUrl);
    if (!(error instanceof Error)) throw error;
    if (["StorageUnavailable", "StorageUnsuited"].includes(error.name)) throw databaseFault(error, place);
    if (error.name === "SchemaMismatch")
      throw otherVersion(error.message.replace(/^the database\b/, place), { cause: error });
    throw error;
  }
}

const otherVersion = (message: string, options?: ErrorOptions): CliError =>
  new CliError(
    "conflict",
    sentence(message),
    "Install the version that the service runs, or a newer one. See: posthorn migrate --status",
    options,
  );

/** Checks that the schema is this version's, without changes. Throws a conflict with the command to run. */
export async function assertSchema(storage: Storage, databaseUrl: string): Promise<void> {
  const migrations = await storage.migrations();
  const place = placeOf(databaseUrl);
  const foreign = migrations.find(({ isKnown }) => !isKnown);
  if (foreign !== undefined)
    throw otherVersion(
      `${place} has the schema of another version of Posthorn: its migration ${foreign.name} is not one of this version's`,
    );
  const pending = migrations.filter(({ appliedAt }) => appliedAt === undefined).length;
  if (pending === 0) return;
  throw new CliError(
    "conflict",
    pending === migrations.length
      ? `${place} has no tables of Posthorn yet.`
      : `${place} has the schema of an older version: ${pending} of ${migrations.length} migrations have not run.`,
    pending === migrations.length
      ? "Is it the right one? To create them: posthorn migrate"
      : "Bring it up to date: posthorn migrate",
  );
}
