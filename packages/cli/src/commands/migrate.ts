import { existsSync } from "node:fs";
import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import type { Register } from "../program/verbs/register.ts";
import { countOf } from "../terminal/count-of.ts";
import { readable } from "../terminal/report-done.ts";

export const register: Register = (command, act) => {
  command
    .option("--status", "list the migrations; change nothing")
    .option("--dry-run", "list the migrations that would run; change nothing")
    .addHelpText(
      "after",
      `
Every start migrates by itself; use this command to do it beforehand. Safe while other processes run, and to run several times at once.

Examples:
  posthorn migrate --status
  posthorn migrate`,
    )
    .action(act(migrate));
};

interface Migration {
  name: string;
  appliedAt: number | undefined;
  isKnown: boolean;
}

async function migrate(context: CommandContext, options: { status?: true; dryRun?: true }): Promise<void> {
  const { output } = context;
  if (!options.status && !options.dryRun) {
    const { migrateStorage, openStorage } = await import("../service/database/open-storage.ts");
    const values = context.ownDatabase();
    const storage = await openStorage(values, { make: true });
    try {
      const ran = await migrateStorage(storage, values.database_url);
      show(
        context,
        (await storage.migrations()).filter(({ name }) => ran.includes(name)),
      );
      output.done(
        ran.length === 0 ? "The schema is up to date." : `The schema is up to date now: ${ran.join(", ")}.`,
      );
    } finally {
      await storage.close();
    }
    return;
  }
  const migrations = await listMigrations(context);
  const pending = migrations.filter(({ appliedAt }) => appliedAt === undefined);
  show(context, options.status ? migrations : pending);
  const foreign = migrations.filter(({ isKnown }) => !isKnown).length;
  if (foreign > 0) {
    const { placeOf } = await import("../service/database/open-storage.ts");
    throw new CliError(
      "conflict",
      `${placeOf(context.ownDatabase().database_url)} has the schema of another version of Posthorn: ${countOf(foreign, "migration is", "migrations are")} not this version's.`,
      "Install the version that the service runs, or a newer one.",
    );
  }
  output.note(
    pending.length === 0 ? "The schema is up to date." : `${pending.length} to run: posthorn migrate`,
  );
}

/** Opening a SQLite file would create it, which a read-only command must not do. */
async function listMigrations(context: CommandContext): Promise<Migration[]> {
  const { openStorage, sqliteFile } = await import("../service/database/open-storage.ts");
  const values = context.ownDatabase();
  const filename = sqliteFile(values.database_url);
  const isMissing = filename !== undefined && !existsSync(filename);
  const storage = await openStorage(isMissing ? { database_url: "sqlite::memory:" } : values, {
    make: isMissing,
  });
  try {
    return await storage.migrations();
  } finally {
    await storage.close();
  }
}

function show({ output }: CommandContext, migrations: Migration[]): void {
  const iso = (time: number | undefined): string | null =>
    time === undefined ? null : new Date(time).toISOString();
  output.list(
    migrations,
    [
      { title: "MIGRATION", cell: ({ name }) => name },
      { title: "APPLIED AT", cell: ({ appliedAt }) => readable(appliedAt) || "pending" },
      { title: "VERSION", cell: ({ isKnown }) => (isKnown ? "this version" : "another version") },
    ],
    ({ name, appliedAt, isKnown }) => ({ name, applied_at: iso(appliedAt), is_known: isKnown }),
  );
}
