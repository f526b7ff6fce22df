import { type ExpressionBuilder, sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import type { Database } from "../../../tables.ts";

/** Ms for which a content stays that has nothing referring to it: somebody may be about to. */
export const grace = 3_600_000;

/** Notes that something ceased to refer to lists of files: pruning looks whether anything else does. */
export async function loosenSets(db: Handle, engine: Engine, ids: readonly (number | null)[]): Promise<void> {
  const loose = [...new Set(ids)].flatMap((id) => (id === null ? [] : [id]));
  if (loose.length === 0) return;
  await db
    .updateTable("attachment_sets")
    .set({ check_at: 0 })
    .where((eb) => engine.anyOf(eb.ref("id"), loose))
    .execute();
}

/** Notes that something ceased to refer to contents. */
export async function loosenBlobs(
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

/** A time to look at, which only ever becomes later. */
const laterThan = (at: number) => (eb: ExpressionBuilder<Database, "blobs">) =>
  sql<number>`case when ${eb.ref("check_at")} > ${at} then ${eb.ref("check_at")} else ${at} end`;

/** Removes the handles of a workspace that is being deleted; their contents are looked at as soon as pruning comes by. */
export async function removeHandlesOf(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  const removed = await db
    .deleteFrom("attachment_handles")
    .where("workspace_id", "=", workspaceId)
    .returning("blob_id")
    .execute();
  await loosenBlobs(
    db,
    engine,
    removed.map(({ blob_id }) => blob_id),
    0,
  );
}
