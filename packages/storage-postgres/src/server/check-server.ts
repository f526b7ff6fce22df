import { type Logger, StorageUnsuited } from "@posthorn/core/storage";
import { type Handle, tableNames } from "@posthorn/storage-sql";
import { sql } from "kysely";

const oldestVersion = 140_000;

interface Settings {
  version: number;
  encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  array_nulls: string;
  role: string;
  /** Of our tables, one from which row level security hides rows. */
  hidden: string | null;
}

/**
 * Throws for a server that is too old, a database that can't hold every character, one whose lists have no nulls, or
 * tables in the schema of which this role may not see every row; warns of one whose commits may not be durable.
 */
export const checkServer = async (
  db: Handle,
  { schema, logger }: { schema: string; logger: Logger },
): Promise<void> => {
  const names = [...tableNames()];
  const { rows } = await sql<Settings>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('array_nulls') as array_nulls, current_user::text as role, (
        select min(c.relname::text) from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = ${schema} and c.relname::text = any(${names}::text[]) and c.relkind = 'r'
          and row_security_active(c.oid)
      ) as hidden`.execute(db);
  const [settings] = rows;
  if (!settings) throw new Error("PostgreSQL doesn't answer");
  const { version, encoding, array_nulls: nulls, role, hidden, ...durability } = settings;
  if (version < oldestVersion)
    throw new StorageUnsuited(
      `Posthorn needs PostgreSQL 14 or newer: this is ${Math.floor(version / 10_000)}`,
    );
  if (encoding !== "UTF8")
    throw new StorageUnsuited(
      `Posthorn needs a database with the encoding UTF8, which holds every character: this one has ${encoding}; create one with "encoding 'UTF8' template template0"`,
    );
  // Our own connections set it; a host's, and those through a pooler, are as the database has them.
  if (nulls === "off")
    throw new StorageUnsuited(
      "PostgreSQL runs with array_nulls=off, but Posthorn needs on: no result of a delivery could be stored, and e-mails would be sent again",
    );
  if (hidden !== null)
    throw new StorageUnsuited(
      `Posthorn needs to see every row of its tables, but row level security of ${schema}.${hidden} applies to the role ${role}: exempt the role ("alter role ${role} bypassrls"), or disable it for all of them ("alter table ${schema}.${hidden} disable row level security")`,
    );
  for (const [setting, value] of Object.entries(durability)) {
    if (value === "off")
      logger.warn({ setting, value }, `PostgreSQL runs with ${setting}=off: a crash may lose accepted mail`);
  }
};
