import type { Logger } from "@posthorn/core/storage";
import type { Handle } from "@posthorn/storage-sql";
import { sql } from "kysely";

const oldestVersion = 140_000;

interface Settings {
  version: number;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
}

/** Throws for a server that is too old; warns of one whose commits may not be durable. */
export const checkServer = async (db: Handle, logger: Logger): Promise<void> => {
  const { rows } = await sql<Settings>`
    select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit`.execute(db);
  const [settings] = rows;
  if (!settings) throw new Error("PostgreSQL doesn't answer");
  const { version, ...durability } = settings;
  if (version < oldestVersion)
    throw new Error(`Posthorn needs PostgreSQL 14 or newer: this is ${Math.floor(version / 10_000)}`);
  for (const [setting, value] of Object.entries(durability)) {
    if (value === "off")
      logger.warn({ setting, value }, `PostgreSQL runs with ${setting}=off: a crash may lose accepted mail`);
  }
};
