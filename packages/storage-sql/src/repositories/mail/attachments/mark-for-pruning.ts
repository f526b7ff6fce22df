import { type ExpressionBuilder, sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import type { Database } from "../../../tables.ts";

/** Ms for which an unreferenced content is kept, because a reference may be about to be created. */
export const grace = 3_600_000;

/** Records that lists of files lost a reference: pruning checks whether others are left. */
export async function markSetsForPruning(
  db: Handle,
  engine: Engine,
  ids: readonly (number | null)[],
): Promise<void> {
  const loose = [...new Set(ids)].flatMap((id) => (id === null ? [] : [id]));
  if (loose.length === 0) return;
  await db
    .updateTable("attachment_sets")
    .set({ check_at: 0 })
    .where((eb) => engine.anyOf(eb.ref("id"), loose))
    .execute();
}

/** Records that contents lost a reference. */
export async function markBlobsForPruning(
  db: Handle,
  engine: Engine,
  ids: readonly number[],
  checkAt: number,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("blobs")
    .set({ check_at: laterThan(checkAt) })
    .where((eb) => engine.anyOf(eb.ref("id"), [...new Set(ids)]))
    .execute();
}

/** A check time that can only be moved later. */
const laterThan = (at: number) => (eb: ExpressionBuilder<Database, "blobs">) =>
  sql<number>`case when ${eb.ref("check_at")} > ${at} then ${eb.ref("check_at")} else ${at} end`;

/** Deletes the handles of a workspace that is being deleted; the next pruning checks their contents. */
export async function removeHandlesOf(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  const removed = await db
    .deleteFrom("attachment_handles")
    .where("workspace_id", "=", workspaceId)
    .returning("blob_id")
    .execute();
  await markBlobsForPruning(
    db,
    engine,
    removed.map(({ blob_id }) => blob_id),
    0,
  );
}
