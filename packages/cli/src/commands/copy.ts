import { constants, copyFileSync, existsSync, readFileSync } from "node:fs";
import type { Storage } from "@posthorn/core";
import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { sentence } from "../program/errors/sentence.ts";
import { database } from "../program/settings/setting-readers.ts";
import type { Register } from "../program/verbs/register.ts";
import { countOf } from "../terminal/count-of.ts";

export const register: Register = (command, act) => {
  command
    .option("--from <url>", "the database to read (default: SERVICE_DATABASE_URL)")
    .requiredOption("--to <url>", "the database to fill: a new one, or the target of an interrupted copy")
    .addHelpText(
      "after",
      `
Copies everything from SQLite to PostgreSQL, or back. Stop every process that uses either database first. If interrupted, run it again
and it continues, unless the source was used since; until it is complete nothing starts on the new database. The source's schema is migrated too; its data stays as it is. The secret key moves along: give the new database's
processes the same SERVICE_SECRET_KEY, which a SQLite database keeps in its .secret file. A password need not be in the URL:
PostgreSQL's own PGPASSWORD and ~/.pgpass are used.

Example:
  posthorn copy --from sqlite:./posthorn.db --to postgres://posthorn@db.example.com/mail`,
    )
    .action(act(copy));
};

async function copy(context: CommandContext, options: { from?: string; to: string }): Promise<void> {
  const { database_url, secret_key } = context.ownDatabase();
  const fromUrl = options.from === undefined ? database_url : read("--from", options.from);
  const toUrl = read("--to", options.to);
  const [
    { assertFile, migrateStorage, openStorage, placeOf, sqliteFile },
    { assertUnused },
    { isSameDatabase },
  ] = await Promise.all([
    import("../service/database/open-storage.ts"),
    import("../service/database/assert-unused.ts"),
    import("../service/database/is-same-database.ts"),
  ]);
  const ofSource = options.from === undefined ? <T>(work: Promise<T>) => work : advising("--from");
  const ofTarget = advising("--to");
  const file = sqliteFile(fromUrl);
  if (file !== undefined) assertFile(file, { make: false, hint: "Name the database to copy with --from." });
  await ofSource(assertUnused(fromUrl));
  await ofTarget(assertUnused(toUrl));
  if (await isSameDatabase(fromUrl, toUrl))
    throw new CliError("usage", "Both URLs name the same database.", "Name another database with --to.");
  const source = await ofSource(openStorage({ database_url: fromUrl }));
  try {
    await assertTables(source, placeOf(fromUrl));
    const target = await ofTarget(openStorage({ database_url: toUrl }, { make: true }));
    try {
      await assertNoWorker(source);
      await assertNoWorker(target);
      await ofSource(migrateStorage(source, fromUrl));
      await ofTarget(migrateStorage(target, toUrl));
      await move(context, source, target);
      const keyWords = await bringSecretKey({ source, fromUrl, toUrl, database_url, secret_key });
      context.output.done(
        `Everything is copied, and the row counts match. Point SERVICE_DATABASE_URL at the new database, and start nothing on the old one: what waits to be sent is in both. ${keyWords}`,
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Refuses the database of a mistyped name, which would get tables, and of which a copy of nothing would seem complete. */
async function assertTables(source: Storage, place: string): Promise<void> {
  const migrations = await source.migrations();
  if (migrations.some(({ appliedAt }) => appliedAt !== undefined)) return;
  throw new CliError(
    "conflict",
    `${place} has no tables of Posthorn.`,
    "Name the database to copy with --from, or in SERVICE_DATABASE_URL.",
  );
}

/** Has the advice about a database name the option that its URL came from. */
const advising =
  (flag: string) =>
  async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const { failure, message, hint, cause, code, details } = error;
      const advice = hint?.replaceAll("SERVICE_DATABASE_URL", flag);
      throw new CliError(failure, message, advice, { cause, code, details });
    }
  };

/** Workers send a heartbeat every 10 s, so a stopped worker's is soon outdated. */
const aliveMs = 15_000;

/**
 * Finds workers whose connections can't be attributed: those of a host's own pool, or of a URL that sets another name.
 */
async function assertNoWorker(storage: Storage): Promise<void> {
  const migrations = await storage.migrations();
  if (migrations.some(({ appliedAt }) => appliedAt === undefined)) return;
  const workers = await storage.operations.listWorkers((await storage.now()) - aliveMs);
  if (workers.length === 0) return;
  throw new CliError(
    "conflict",
    `${countOf(workers.length, "worker uses", "workers use")} one of the databases, or did a moment ago.`,
    `Stop every process that uses it, and try again in ${aliveMs / 1_000} seconds.`,
  );
}

async function move({ output, signal }: CommandContext, source: Storage, target: Storage): Promise<void> {
  const [{ copyTables, sideOf }, { createProgress }] = await Promise.all([
    import("@posthorn/storage-sql"),
    import("../terminal/progress.ts"),
  ]);
  let progress = createProgress("rows", undefined);
  try {
    const tables = await copyTables(sideOf(source), sideOf(target), {
      signal,
      onTotal: (rows, before) => {
        progress = createProgress("rows", rows, { before });
      },
      onCopied: (rows) => progress.add(rows),
    });
    progress.end();
    output.list(tables, [
      { title: "TABLE", cell: ({ table }) => table },
      { title: "ROWS", cell: ({ rows }) => rows, align: "right" },
    ]);
  } catch (error) {
    progress.end();
    if (error instanceof Error && error.name === "CopyRefused") {
      throw new CliError(
        "conflict",
        sentence(error.message),
        "Stop every process that uses either. Then name an empty database (PostgreSQL: drop schema posthorn cascade), or the one that an interrupted copy left.",
        {
          cause: error,
        },
      );
    }
    if (signal.aborted)
      throw new CliError("interrupted", "The copy is incomplete.", "Run it again to continue.");
    throw error;
  }
}

interface KeyOfCopy {
  source: Storage;
  fromUrl: string;
  toUrl: string;
  /** The database that the settings name, which a backup was made of. */
  database_url: string;
  /** The key in force here, which need not be the source's. */
  secret_key: string | undefined;
}

const sameKey = "Its processes need the same SERVICE_SECRET_KEY as before.";

/** Copies the secret key's file along with its database; returns a sentence about the key. */
async function bringSecretKey({
  source,
  fromUrl,
  toUrl,
  database_url,
  secret_key,
}: KeyOfCopy): Promise<string> {
  const { secretKeyFile } = await import("../service/secrets/secret-key.ts");
  const known = await source.operations.findFact("secret_key");
  // A file beside a database whose key is set holds another key, left from before.
  if (await isKeyOf(known, secret_key)) return sameKey;
  const [beside, to] = [secretKeyFile(fromUrl), secretKeyFile(toUrl)];
  const from = await findKeyFile(known, [beside, secretKeyFile(database_url)]);
  if (from === undefined)
    return known === undefined || beside === undefined
      ? sameKey
      : `Its processes need its secret key, which is neither in SERVICE_SECRET_KEY nor in ${beside}.`;
  if (to === undefined)
    return `Its processes need the secret key in ${from}: SERVICE_SECRET_KEY="$(cat ${from})"`;
  // An existing key is checked against the database by the process that starts on it.
  if (existsSync(to))
    return `Its secret key must be that of ${from}: ${to} already existed, and is unchanged.`;
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  return `Its secret key was copied to ${to}.`;
}

/** The first of the files with the key of this fingerprint; with any key, if the database was never used with one. */
async function findKeyFile(
  fingerprint: string | undefined,
  files: readonly (string | undefined)[],
): Promise<string | undefined> {
  for (const file of files) {
    if (file === undefined || !existsSync(file)) continue;
    if (await isKeyOf(fingerprint, readFileSync(file, "utf8").trim())) return file;
  }
  return undefined;
}

/** Whether a key has the fingerprint, or could be the first of a database without any. */
async function isKeyOf(fingerprint: string | undefined, secretKey: string | undefined): Promise<boolean> {
  const { createSecretBox, secretKeyFault } = await import("@posthorn/core/internal");
  if (secretKey === undefined || secretKeyFault(secretKey) !== undefined) return false;
  return fingerprint === undefined || createSecretBox(secretKey).fingerprint === fingerprint;
}

function read(flag: string, url: string): string {
  try {
    return database(url);
  } catch (error) {
    throw new CliError(
      "usage",
      `${flag} ${(error as Error).message}.`,
      `An example: ${flag} sqlite:./posthorn.db`,
    );
  }
}
