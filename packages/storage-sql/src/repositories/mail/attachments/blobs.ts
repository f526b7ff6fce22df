import type { Attachments } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { byNumber } from "../../../by-number.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { grace } from "./mark-for-pruning.ts";

// No unique index: one would wait for an open transaction, such as a host's, that stored the same first, in any workspace.

const findFresh = prepared((db, values: { digest: string; until: number }) =>
  db
    .selectFrom("blobs")
    .select("id")
    .where("digest", "=", values.digest)
    .where("check_at", ">", values.until)
    .orderBy(byNumber)
    .limit(sql.lit(1)),
);

/**
 * Extends the grace period: the write locks the row against deletion until the transaction ends. One that another
 * transaction changes is as good as gone.
 */
const prolong = prepared((db, values: { digest: string; until: number }, engine) =>
  db
    .updateTable("blobs")
    .set({ check_at: values.until })
    .where("id", "=", (own) =>
      engine.forFreeUpdate(
        own
          .selectFrom("blobs")
          .select("id")
          .where("digest", "=", values.digest)
          .orderBy(byNumber)
          .limit(sql.lit(1)),
      ),
    )
    .returning("id"),
);

const findChunk = prepared((db, values: { blobId: number; position: number }, engine) =>
  db
    .selectFrom("blob_chunks")
    .select((is) => engine.asciiBytes(is.ref("content")).as("content"))
    .where("blob_id", "=", values.blobId)
    .where("position", "=", values.position),
);

const uploadEnded = (): Error => new Error("the upload expired before it was finished");

type BlobMethods = Pick<
  Attachments,
  "takeBlob" | "beginUpload" | "addChunk" | "finishUpload" | "dropUpload" | "readChunk"
>;

/** Finds the content, and protects it from removal for half an hour. */
async function take(db: Handle, engine: Engine, digest: string, now: number): Promise<number | undefined> {
  // Without a write, as many may send the same file.
  const [fresh] = await findFresh(db, engine, { digest, until: now + grace / 2 });
  const [row] = fresh === undefined ? await prolong(db, engine, { digest, until: now + grace }) : [fresh];
  return row?.id;
}

/** File contents in chunks, each stored once, but for concurrent transactions that store the same. */
export const createBlobs = (db: Handle, engine: Engine): BlobMethods => ({
  takeBlob: (digest, now) => take(db, engine, digest, now),
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
      const known = await take(tx, engine, digest, now);
      if (known !== undefined) {
        await removeChunks(tx, engine, [uploadId]);
        return known;
      }
      await tx
        .insertInto("blobs")
        .values({ id: uploadId, digest, size, created_at: now, check_at: now + grace })
        .execute();
      return uploadId;
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
