import type { Attachments } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { grace } from "./mark-for-pruning.ts";

const findByDigest = prepared((db, { digest }: { digest: string }) =>
  db.selectFrom("blobs").select(["id", "check_at"]).where("digest", "=", digest),
);

/** Extends the grace period if it may soon end: the write locks the row against deletion until the transaction ends. */
const prolong = prepared((db, values: { digest: string; until: number }) =>
  db.updateTable("blobs").set({ check_at: values.until }).where("digest", "=", values.digest).returning("id"),
);

const findChunk = prepared((db, values: { blobId: number; position: number }, engine) =>
  db
    .selectFrom("blob_chunks")
    .select((is) => engine.asciiBytes(is.ref("content")).as("content"))
    .where("blob_id", "=", values.blobId)
    .where("position", "=", values.position),
);

const putBlob = prepared(
  (db, values: { id: number; digest: string; size: number; now: number; until: number }) =>
    db
      .insertInto("blobs")
      .values({
        id: values.id,
        digest: values.digest,
        size: values.size,
        created_at: values.now,
        check_at: values.until,
      })
      .onConflict((known) =>
        known.column("digest").doUpdateSet((is) => ({ check_at: is.ref("excluded.check_at") })),
      )
      .returning("id"),
);

const uploadEnded = (): Error => new Error("the upload expired before it was finished");

type BlobMethods = Pick<
  Attachments,
  "takeBlob" | "beginUpload" | "addChunk" | "finishUpload" | "dropUpload" | "readChunk"
>;

/** File contents, stored once, in chunks. */
export const createBlobs = (db: Handle, engine: Engine): BlobMethods => ({
  async takeBlob(digest, now) {
    const [found] = await findByDigest(db, engine, { digest });
    // Without a write, as many may send the same file: nothing deletes it within the next half-hour.
    if (found !== undefined && (found.check_at ?? 0) > now + grace / 2) return found.id;
    const [row] = await prolong(db, engine, { digest, until: now + grace });
    return row?.id;
  },
  async beginUpload(now) {
    const { id } = await db
      .insertInto("blob_uploads")
      .values({ begun_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  },
  async addChunk(uploadId, position, content) {
    const { rows } = await sql`
      insert into ${engine.table("blob_chunks")} (blob_id, position, content)
      select id, cast(${position} as bigint), cast(${content} as text) from ${engine.table("blob_uploads")} where id = ${uploadId}
      returning position
    `.execute(db);
    // Selects rows instead of using the affected count, which a host's library does not pass on.
    if (rows.length === 0) throw uploadEnded();
  },
  finishUpload: (uploadId, { digest, size }, now) =>
    atomically(db, async (tx) => {
      const ended = await tx
        .deleteFrom("blob_uploads")
        .where("id", "=", uploadId)
        .returning("id")
        .executeTakeFirst();
      if (ended === undefined) throw uploadEnded();
      const [row] = await putBlob(tx, engine, { id: uploadId, digest, size, now, until: now + grace });
      if (row === undefined) throw new Error("a content has no row");
      if (row.id !== uploadId) await removeChunks(tx, engine, [uploadId]);
      return row.id;
    }),
  dropUpload: (uploadId) =>
    atomically(db, async (tx) => {
      const dropped = await tx
        .deleteFrom("blob_uploads")
        .where("id", "=", uploadId)
        .returning("id")
        .executeTakeFirst();
      if (dropped !== undefined) await removeChunks(tx, engine, [uploadId]);
    }),
  async readChunk(blobId, position) {
    const [row] = await findChunk(db, engine, { blobId, position });
    if (row === undefined) return undefined;
    const { content } = row;
    return typeof content === "string"
      ? Buffer.from(content, "latin1")
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  },
});

/** Deletes the chunks of contents or uploads. */
export async function removeChunks(db: Handle, engine: Engine, ids: readonly number[]): Promise<void> {
  await db
    .deleteFrom("blob_chunks")
    .where((eb) => engine.anyOf(eb.ref("blob_id"), ids))
    .execute();
}
