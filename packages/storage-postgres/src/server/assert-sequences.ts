import { incompleteCopyFact, StorageUnsuited } from "@posthorn/core/storage";
import { type Handle, tableNames } from "@posthorn/storage-sql";
import { CompiledQuery, sql } from "kysely";

const listText = `select c.relname::text as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname::text = any($2::text[])
    and case when c.relkind = 'S' then has_sequence_privilege(c.oid, 'select') else false end`;

/**
 * Checks that every table assigns ids above those it has. Logical replication copies rows and no sequences: what is then
 * inserted would be refused as a repetition, or get the id of a row that was deleted, which is known outside. A copy that
 * was interrupted sets them at its end. A role that may not read a sequence is not asked about it.
 */
export const assertSequences = async (db: Handle, schema: string): Promise<void> => {
  const byName = new Map([...tableNames()].map((table) => [`${table}_id_seq`, table]));
  const { rows: found } = await db.executeQuery(
    CompiledQuery.raw(listText, [schema, [...byName.keys()]]) as CompiledQuery<{ name: string }>,
  );
  // Not by `pg_sequence_last_value`, which is null after `restart with`.
  const looks = found.map(({ name }) => {
    const highest = sql`(select max(id) from ${sql.id(schema, byName.get(name) ?? "")})`;
    return sql`select ${name}::text as name from ${sql.id(schema, name)}
      where ${highest} > last_value - case when is_called then 0 else 1 end`;
  });
  if (looks.length === 0) return;
  // At one moment: a copy that ends in between has set its sequences, and takes the fact away.
  const isCopied = sql`exists (select 1 from ${sql.id(schema, "facts")} where name = ${incompleteCopyFact})`;
  const all = sql.join(looks, sql` union all `);
  const { rows } = await sql<{
    name: string;
  }>`select name from (${all}) as behind where not ${isCopied}`.execute(db);
  const [behind] = rows;
  if (behind === undefined) return;
  throw new StorageUnsuited(
    `the sequence ${schema}.${behind.name} stands below ids that its table has, as after logical replication, which copies no sequences: run "posthorn restore-check", which moves all of them, or set each as it was in the former database`,
  );
};
