import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { columnsOf } from "../../tables.ts";

const looseTypes = columnsOf("loose_contents", ["kind", "row_id"]);

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
  const rows = [...new Set(ids)].flatMap((id) => (id === null ? [] : [{ kind, row_id: id }]));
  if (rows.length === 0) return;
  // A row of its own: a check that runs meanwhile still finds the reference, and removes only the rows that it found.
  await sql`
    insert into ${engine.table("loose_contents")} (kind, row_id)
    select kind, row_id from ${engine.valuesTable("v", looseTypes, rows)} where true
  `.execute(db);
}
