import type { Logger } from "@posthorn/core/storage";
import type { Handle } from "@posthorn/storage-sql";
import { sql } from "kysely";

const oldestVersion = 140_000;

interface Settings {
  version: number;
  encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  array_nulls: string;
}

/**
 * Throws for a server that is too old, a database that can't hold every character, or one whose lists have no nulls;
 * warns of one whose commits may not be durable.
 */
export const checkServer = async (db: Handle, logger: Logger): Promise<void> => {
  const { rows } = await sql<Settings>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('array_nulls') as array_nulls`.execute(db);
  const [settings] = rows;
  if (!settings) throw new Error("PostgreSQL doesn't answer");
  const { version, encoding, array_nulls: nulls, ...durability } = settings;
  if (version < oldestVersion)
    throw new Error(`Posthorn needs PostgreSQL 14 or newer: this is ${Math.floor(version / 10_000)}`);
  if (encoding !== "UTF8")
    throw new Error(
      `Posthorn needs a database with the encoding UTF8, which holds every character: this one has ${encoding}; create one with "encoding 'UTF8' template template0"`,
    );
  // Our own connections set it; a host's, and those through a pooler, are as the database has them.
  if (nulls === "off")
    throw new Error(
      "PostgreSQL runs with array_nulls=off, but Posthorn needs on: no result of a delivery could be stored, and e-mails would be sent again",
    );
  for (const [setting, value] of Object.entries(durability)) {
    if (value === "off")
      logger.warn({ setting, value }, `PostgreSQL runs with ${setting}=off: a crash may lose accepted mail`);
  }
};
