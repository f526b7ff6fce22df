import { statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { CliError } from "../../program/errors/cli-error.ts";
import { databaseFault } from "../../program/errors/database-fault.ts";
import { findHolders } from "./find-holders.ts";
import { placeOf, sqliteFile } from "./open-storage.ts";

/** Throws a conflict that names the processes which have the database open, for whatever purpose. */
export async function assertUnused(databaseUrl: string): Promise<void> {
  const filename = sqliteFile(databaseUrl);
  if (filename === undefined) return await assertNoSessions(databaseUrl);
  // What is no file, such as a folder, is refused where it is opened.
  if (statSync(filename, { throwIfNoEntry: false })?.isFile() !== true) return;
  const { isSqliteInUse } = await import("@posthorn/storage-sqlite/internal");
  if (!(await isSqliteInUse(filename).catch(refuse(databaseUrl)))) return;
  const holders = (await findHolders(new Set([await realpath(filename)]))) ?? [];
  const pids = holders.map(({ pid }) => pid).join(", ");
  throw new CliError(
    "conflict",
    `${placeOf(databaseUrl)} is in use${pids === "" ? "" : `, by process ${pids}`}.`,
    "Stop every process that uses it, and try again.",
  );
}

async function assertNoSessions(databaseUrl: string): Promise<void> {
  const { examinePostgres } = await import("@posthorn/storage-postgres/internal");
  const { sessions } = await examinePostgres(databaseUrl).catch(refuse(databaseUrl));
  if (sessions.length === 0) return;
  const places = [...new Set(sessions.map(({ client = "the local socket" }) => client))];
  throw new CliError(
    "conflict",
    `${placeOf(databaseUrl)} is in use by Posthorn from ${places.join(", ")}: PostgreSQL's processes ${sessions.map(({ pid }) => pid).join(", ")}.`,
    "Stop every process that uses it, and try again. A pooler keeps connections for a while after that: PgBouncer ends them at RECONNECT.",
  );
}

const refuse = (databaseUrl: string) => (error: unknown) => {
  throw databaseFault(error, placeOf(databaseUrl));
};
