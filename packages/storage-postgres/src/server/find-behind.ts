import { incompleteCopyFact } from "@posthorn/core/storage";
import { tableNames } from "@posthorn/storage-sql";
import { quotedTable } from "../engine/quoted.ts";

const listText = `select c.relname::text as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname::text = any($2::text[])
    and case when c.relkind = 'S' then has_sequence_privilege(c.oid, 'select') else false end`;

/**
 * Names the sequences of a schema that stand below ids of their tables; `ask` runs SQL. Logical replication copies rows and
 * no sequences: what is then inserted would be refused as a repetition, or get the id of a row that was deleted, which is
 * known outside. A copy that was interrupted sets them at its end. One that the role may not read is not asked about.
 */
export const findBehind = async (
  schema: string,
  ask: (text: string, values: unknown[]) => Promise<{ name: string }[]>,
): Promise<string[]> => {
  const byName = new Map([...tableNames()].map((table) => [`${table}_id_seq`, table]));
  // Not by `pg_sequence_last_value`, which is null after `restart with`.
  const looks = (await ask(listText, [schema, [...byName.keys()]])).map(
    ({ name }) => `select '${name}' as name from ${quotedTable(schema, name)}
      where (select max(id) from ${quotedTable(schema, byName.get(name) ?? "")})
        > last_value - case when is_called then 0 else 1 end`,
  );
  if (looks.length === 0) return [];
  // At one moment: a copy that ends in between has set its sequences, and takes the fact away.
  const isCopied = `exists (select 1 from ${quotedTable(schema, "facts")} where name = $1)`;
  const text = `select name from (${looks.join(" union all ")}) as behind where not ${isCopied} order by name`;
  return (await ask(text, [incompleteCopyFact])).map(({ name }) => name);
};
