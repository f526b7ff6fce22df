import { createHash } from "node:crypto";
import type { Contents } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../engine.ts";
import { prepared } from "../prepared.ts";

/** A digest of several texts that tells `["ab", "c"]` from `["a", "bc"]`. */
const hashOf = (...texts: string[]) => createHash("sha256").update(JSON.stringify(texts)).digest("hex");

const findContent = prepared((db, { id }: { id: number }) =>
  db.selectFrom("contents").selectAll().where("id", "=", id),
);

/** Where it is known, the row is written as it was: that keeps it from `deleteUnused` until the transaction ends. */
const putContent = prepared((db, content: { hash: string; subject: string; html: string; text: string }) =>
  db
    .insertInto("contents")
    .values({ hash: content.hash, subject: content.subject, html: content.html, text: content.text })
    .onConflict((known) => known.column("hash").doUpdateSet((is) => ({ hash: is.ref("excluded.hash") })))
    .returning("id"),
);

/** Contents and stylesheet sets, each kept once. */
export const createContentsRepository = (db: Handle, engine: Engine): Contents => ({
  async put({ subject, html, text }) {
    const [row] = await putContent(db, engine, { hash: hashOf(subject, html, text), subject, html, text });
    if (!row) throw new Error("a content has no row");
    return row.id;
  },
  async find(id) {
    const [row] = await findContent(db, engine, { id });
    return row && { id: row.id, subject: row.subject, html: row.html, text: row.text };
  },
  async putStylesheetSet(css) {
    const row = await db
      .insertInto("stylesheet_sets")
      .values({ hash: hashOf(css), css })
      .onConflict((known) => known.column("hash").doUpdateSet((is) => ({ hash: is.ref("excluded.hash") })))
      .returning("id")
      .executeTakeFirstOrThrow();
    return row.id;
  },
  async findStylesheetSet(id) {
    const row = await db.selectFrom("stylesheet_sets").select("css").where("id", "=", id).executeTakeFirst();
    return row?.css;
  },
  async deleteUnused(limit) {
    const deleted = await db
      .deleteFrom("contents")
      .where("id", "in", (unused) =>
        unused
          .selectFrom("contents as c")
          .select("c.id")
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("template_versions")
                  .select(sql.lit(1).as("one"))
                  .whereRef("content_id", "=", "c.id"),
              ),
            ),
          )
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(selectFrom("emails").select(sql.lit(1).as("one")).whereRef("content_id", "=", "c.id")),
            ),
          )
          .orderBy("c.id")
          .limit(limit),
      )
      .returning("id")
      .execute();
    return deleted.length;
  },
});
