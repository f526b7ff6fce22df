import type { AttachmentItem, Attachments, NewAttachmentSet } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { bulkInsert } from "../../../bulk-insert.ts";
import { byNumber } from "../../../by-number.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";

const insertItems = bulkInsert("attachment_set_items");

// No unique index: one would wait for an open transaction, such as a host's, that stored the same first, in any workspace.

/** Locks it against deletion alone until the transaction ends: a host's may stay open, and others send the same files. */
const takeSet = prepared((db, { digest }: { digest: string }, engine) =>
  engine.forReference(
    db
      .selectFrom("attachment_sets")
      .select("id")
      .where("digest", "=", digest)
      .orderBy(byNumber)
      .limit(sql.lit(1)),
  ),
);

const addSet = prepared((db, { digest }: { digest: string }) =>
  db.insertInto("attachment_sets").values({ digest, check_at: null }).returning("id"),
);

const findItems = prepared((db, { ids }: { ids: readonly number[] }, engine) =>
  db
    .selectFrom("attachment_set_items as i")
    .innerJoin("blobs as b", "b.id", "i.blob_id")
    .selectAll("i")
    .select(["b.digest", "b.size"])
    .where((eb) => engine.anyOf(eb.ref("i.set_id"), ids))
    .orderBy("i.set_id")
    .orderBy("i.position"),
);

/** Lists of files, each stored once, but for concurrent transactions that store the same first. */
export const createSets = (db: Handle, engine: Engine): Pick<Attachments, "putSet" | "listItems"> => ({
  putSet: (set) => atomically(db, (tx) => putSet(tx, engine, set)),
  async listItems(setIds) {
    const ids = [...new Set(setIds)];
    const found = new Map<number, AttachmentItem[]>(ids.map((id) => [id, []]));
    if (ids.length === 0) return found;
    for (const row of await findItems(db, engine, { ids })) {
      found.get(row.set_id)?.push({
        blobId: row.blob_id,
        digest: row.digest,
        size: row.size,
        filename: row.filename,
        contentType: row.content_type,
        contentId: row.content_id ?? undefined,
      });
    }
    return found;
  },
});

async function putSet(db: Handle, engine: Engine, { digest, items }: NewAttachmentSet): Promise<number> {
  const [known] = await takeSet(db, engine, { digest });
  if (known !== undefined) return known.id;
  const [added] = await addSet(db, engine, { digest });
  if (added === undefined) throw new Error("a list of files has no row");
  await insertItems(
    db,
    engine,
    items.map(({ blobId, filename, contentType, contentId }, position) => ({
      set_id: added.id,
      position,
      blob_id: blobId,
      filename,
      content_type: contentType,
      content_id: contentId ?? null,
    })),
  );
  return added.id;
}
