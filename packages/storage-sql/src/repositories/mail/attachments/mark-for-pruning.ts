import { sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { columnsOf } from "../../../tables.ts";

/** Ms for which an unreferenced content is kept, because a reference may be about to be created. */
export const grace = 3_600_000;

/** What a mark may name, and its table. */
export const loose = { set: "attachment_sets", blob: "blobs" } as const;

const looseTypes = columnsOf("loose_files", ["kind", "row_id", "check_at"]);

/**
 * Records that lists of files (`set`) or contents (`blob`) lost a reference: pruning checks from that time on whether
 * others are left.
 */
export async function markFilesForPruning(
  db: Handle,
  engine: Engine,
  kind: keyof typeof loose,
  { ids, checkAt }: { ids: readonly (number | null)[]; checkAt: number },
): Promise<void> {
  const rows = [...new Set(ids)].flatMap((id) =>
    id === null ? [] : [{ kind, row_id: id, check_at: checkAt }],
  );
  if (rows.length === 0) return;
  await sql`
    insert into ${engine.table("loose_files")} (kind, row_id, check_at)
    select kind, row_id, check_at from ${engine.valuesTable("v", looseTypes, rows)} where true
  `.execute(db);
}

/** Deletes the handles of a workspace that is being deleted; the next pruning checks their contents. */
export async function removeHandlesOf(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  const removed = await db
    .deleteFrom("attachment_handles")
    .where("workspace_id", "=", workspaceId)
    .returning("blob_id")
    .execute();
  await markFilesForPruning(db, engine, "blob", { ids: removed.map(({ blob_id }) => blob_id), checkAt: 0 });
}
