import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { linkedFile } from "../program/settings/linked-file.ts";
import type { Register } from "../program/verbs/register.ts";
import { shellWord } from "../program/verbs/shell-word.ts";

export const register: Register = (command, act) => {
  command
    .argument("<file>", "the new file")
    .addHelpText(
      "after",
      `
Writes a consistent copy of a SQLite database while it is in use. Keep the secret key too, in another place: without it the
secrets inside can't be read. To restore: stop Posthorn, put the copy in the database's place, remove the -wal and -shm
files, and start.

Examples:
  posthorn backup backups/$(date +%F).db
  posthorn backup backups/newest.db --yes`,
    )
    .action(act(backup));
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function assertFolder(file: string): void {
  const folder = dirname(resolve(file));
  if (!isFolder(folder))
    throw new CliError(
      "not_found",
      `There is no folder ${folder}.`,
      `Make it: mkdir -p ${shellWord(folder)}`,
    );
}

/** Where a file is or would be, in a folder that exists. */
const placeOf = (file: string): string => join(realpathSync(dirname(file)), basename(file));

async function backup(context: CommandContext, named: string): Promise<void> {
  if (named === "") throw new CliError("usage", "The file has no name.", "Name a file.");
  const [{ sqliteFile }, { isSameFile }, { secretKeyFile }, { writeBackup }] = await Promise.all([
    import("../service/database/open-storage.ts"),
    import("../service/database/is-same-file.ts"),
    import("../service/secrets/secret-key.ts"),
    import("./backup/write-backup.ts"),
  ]);
  const { database_url } = context.ownDatabase();
  const source = sqliteFile(database_url);
  if (source === undefined) {
    throw new CliError(
      "usage",
      "The database is a PostgreSQL one: PostgreSQL has its own tool for backups.",
      'Run: pg_dump --format=custom --schema=posthorn --file=posthorn.dump "$SERVICE_DATABASE_URL"; after a pg_restore: posthorn restore-check',
    );
  }
  if (!existsSync(source)) {
    throw new CliError("not_found", `There is no database at ${source}.`, "Check SERVICE_DATABASE_URL.");
  }
  if (isFolder(source))
    throw new CliError("usage", `${resolve(source)} is a folder.`, "Name the SQLite file in it.");
  assertFolder(named);
  if (isFolder(named)) throw new CliError("usage", `${named} is a folder.`, "Name a file in it.");
  // The copy takes the place of what has the name, also of /dev/null; a pipe at /dev/stdout has no path to follow.
  if (existsSync(named) && !statSync(named).isFile())
    throw new CliError("usage", `${named} is no file, and can't hold the copy.`, "Name a file.");
  const file = linkedFile(named);
  assertFolder(file);
  // The copy would take its place.
  if (isSameFile(source, file)) {
    throw new CliError("usage", "The copy can't be the database itself.", "Name another file.");
  }
  // SQLite follows a link to the database; the key may be one itself.
  const real = realpathSync(source);
  const beside = ["-wal", "-shm", "-journal"].map((suffix) => `${real}${suffix}`);
  if (
    [...beside, secretKeyFile(database_url)].some(
      (own) => own !== undefined && (placeOf(own) === placeOf(file) || isSameFile(own, file)),
    )
  )
    throw new CliError(
      "usage",
      `${named} belongs to the database, which can't be read without it.`,
      "Name another file.",
    );
  if (existsSync(file)) await context.confirm(`${file} exists already. Replace it?`);
  await writeBackup(source, file, context.signal);
  context.output.done(`The backup is in ${file} (${(statSync(file).size / 1024).toFixed(0)} KiB).`);
}
