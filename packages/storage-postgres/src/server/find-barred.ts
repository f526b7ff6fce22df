import { tableNames } from "@posthorn/storage-sql";

/**
 * The tables and sequences of a schema, of those given, that the current role may not use. A partition is used through
 * its table. Without the right to use the schema, all are barred.
 */
const text = `select c.relname::text as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname::text = any($2::text[]) and not (has_schema_privilege(n.oid, 'usage') and case
    when c.relkind = 'S' then has_sequence_privilege(c.oid, 'usage')
    when c.relkind in ('r', 'p') then has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
      and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')
    else true end) order by 1`;

/** Names the tables and sequences of ours in a schema that the current role may not read and write; `ask` runs SQL. */
export const findBarred = async (
  schema: string,
  ask: (text: string, values: unknown[]) => Promise<{ name: string }[]>,
): Promise<string[]> => {
  // Rows are numbered by the database, and those of e-mails and events by us, from the same sequences.
  const names = [...tableNames()].flatMap((name) => [name, `${name}_id_seq`]);
  return (await ask(text, [schema, names])).map(({ name }) => name);
};
