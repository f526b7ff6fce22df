import type { Attachments } from "@posthorn/core/storage";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { grace, markFilesForPruning } from "./mark-for-pruning.ts";

const findHandles = prepared(
  (db, values: { workspaceId: number; ids: readonly string[]; now: number }, engine) =>
    db
      .selectFrom("attachment_handles as h")
      .innerJoin("blobs as b", "b.id", "h.blob_id")
      .selectAll("h")
      .select(["b.digest", "b.size"])
      .where((eb) => engine.anyOf(eb.ref("h.uuid"), values.ids))
      .where("h.workspace_id", "=", values.workspaceId)
      .where("h.expires_at", ">", values.now),
);

type HandleMethods = Pick<
  Attachments,
  "insertHandle" | "findHandles" | "useHandles" | "deleteHandle" | "unusedOf"
>;

/** Handles of uploaded files. */
export const createHandles = (db: Handle, engine: Engine): HandleMethods => ({
  async insertHandle(handle) {
    await db
      .insertInto("attachment_handles")
      .values({
        uuid: handle.id,
        workspace_id: handle.workspaceId,
        blob_id: handle.blobId,
        filename: handle.filename,
        content_type: handle.contentType,
        created_at: handle.createdAt,
        used_at: null,
        expires_at: handle.expiresAt,
      })
      .execute();
  },
  async findHandles(workspaceId, ids, now) {
    if (ids.length === 0) return [];
    return (await findHandles(db, engine, { workspaceId, ids, now })).map((row) => ({
      id: row.uuid,
      workspaceId: row.workspace_id,
      blobId: row.blob_id,
      digest: row.digest,
      size: row.size,
      filename: row.filename,
      contentType: row.content_type,
      createdAt: row.created_at,
      usedAt: row.used_at ?? undefined,
      expiresAt: row.expires_at,
    }));
  },
  async useHandles(ids, now, expiresAt) {
    await db
      .updateTable("attachment_handles")
      .set({ used_at: now, expires_at: expiresAt })
      // What an open transaction notes as well, such as a host's, is noted by the next send if that comes to nothing.
      .where("uuid", "in", (own) =>
        engine.forFreeUpdate(
          own
            .selectFrom("attachment_handles")
            .select("uuid")
            .where((eb) => engine.anyOf(eb.ref("uuid"), ids)),
        ),
      )
      .execute();
  },
  deleteHandle: (workspaceId, id, now) =>
    atomically(db, async (tx) => {
      const removed = await tx
        .deleteFrom("attachment_handles")
        .where("uuid", "=", id)
        .where("workspace_id", "=", workspaceId)
        .returning(["blob_id", "expires_at"])
        .executeTakeFirst();
      if (removed === undefined) return false;
      await markFilesForPruning(tx, engine, "blob", { ids: [removed.blob_id], checkAt: now + grace });
      return removed.expires_at > now;
    }),
  async unusedOf(workspaceId) {
    const row = await db
      .selectFrom("attachment_handles as h")
      .innerJoin("blobs as b", "b.id", "h.blob_id")
      .select((eb) => [eb.fn.sum("b.size").as("bytes"), eb.fn.countAll().as("handles")])
      .where("h.workspace_id", "=", workspaceId)
      .where("h.used_at", "is", null)
      .executeTakeFirst();
    return { bytes: Number(row?.bytes ?? 0), handles: Number(row?.handles ?? 0) };
  },
});
