import { type Handle, tableNames } from "@posthorn/storage-sql";
import { sql } from "kysely";

/**
 * Checks that the role may read and change every table: one that does not migrate lacks the rights on new tables until
 * somebody grants them, and what needs these would fail behind a service that is ready. Throws with the SQLSTATE of
 * missing rights.
 */
export const assertRights = async (db: Handle, schema: string): Promise<void> => {
  const { rows } = await sql<{ role: string; lacking: string | null }>`
    select current_user::text as role, min(c.relname::text) as lacking
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relname::text = any(${[...tableNames()]}::text[]) and c.relkind = 'r' and not (
      has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')
    )`.execute(db);
  const [{ role, lacking } = { role: "", lacking: null }] = rows;
  if (lacking === null) return;
  const words = `the role ${role} may not read and change ${schema}.${lacking}: grant it select, insert, update and delete on all tables in the schema, and usage, select and update on all sequences`;
  throw Object.assign(new Error(words), { code: "42501" });
};
