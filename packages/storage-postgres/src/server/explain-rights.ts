import { StorageUnavailable } from "@posthorn/core/storage";
import type { Handle } from "@posthorn/storage-sql";
import { sql } from "kysely";

/** What a role that does not migrate needs in the schema. */
export const neededRights =
  "select, insert, update and delete on all tables in the schema, and usage, select and update on all sequences";

interface Rights {
  role: string;
  database: string;
  is_there: boolean;
  may_use: boolean | null;
}

/**
 * Says what to grant if a migration failed for a right that the role lacks: PostgreSQL names only what it refused. The
 * error keeps the SQLSTATE; any other is returned as it is.
 */
export const explainRights = async (db: Handle, schema: string, error: unknown): Promise<unknown> => {
  const refusal = error instanceof StorageUnavailable ? error.cause : error;
  const { code, message } = Object(refusal) as { code?: unknown; message?: unknown };
  if (code !== "42501") return error;
  const found = await sql<Rights>`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database, n.oid is not null as is_there,
      has_schema_privilege(n.oid, 'usage') as may_use
    from (select 1) as one left join pg_namespace as n on n.nspname = ${schema}`.execute(db);
  const [rights] = found.rows;
  if (rights === undefined) return error;
  const words = `${wordsOf(rights, schema)}: ${message}`;
  return Object.assign(new Error(words, { cause: error }), { code });
};

const wordsOf = ({ role, database, is_there: isThere, may_use: mayUse }: Rights, schema: string): string => {
  const others = `migrate as another role, and grant this one usage of the schema, ${neededRights}`;
  if (!isThere)
    return `the role ${role} may not create the schema ${schema}: "grant create on database ${database} to ${role}"; or ${others}`;
  return mayUse === true
    ? `the role ${role} may not create or change the tables in the schema ${schema}: ${others}`
    : `the role ${role} may not use the schema ${schema}: grant it usage of it, ${neededRights}`;
};
