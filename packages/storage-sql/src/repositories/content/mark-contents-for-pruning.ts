import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { columnsOf } from "../../tables.ts";

const looseTypes = columnsOf("loose_contents");

/**
 * Records that contents (`content`) or stylesheet sets (`set`) lost a reference: pruning checks whether others are
 * left.
 */
export async function markContentsForPruning(
  db: Handle,
  engine: Engine,
  kind: "content" | "set",
  ids: readonly (number | null)[],
): Promise<void> {
  const rows = [...new Set(ids)].flatMap((id) => (id === null ? [] : [{ kind, id }]));
  if (rows.length === 0) return;
  rows.sort((a, b) => a.id - b.id);
  // An existing row is written too, which locks it: a check that runs meanwhile still finds the reference, and would
  // remove the row that this transaction relies on.
  await sql`
    insert into ${engine.table("loose_contents")} (kind, id)
    select kind, id from ${engine.valuesTable("v", looseTypes, rows)} where true
    on conflict (kind, id) do update set kind = excluded.kind
  `.execute(db);
}
