import { createHash } from "node:crypto";
import type { Contents } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { byNumber } from "../../by-number.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import type { Row } from "../../tables.ts";
import { untilFound } from "../../until-found.ts";

/** A digest of several texts that distinguishes `["ab", "c"]` from `["a", "bc"]`. */
const hashOf = (...texts: string[]) => createHash("sha256").update(JSON.stringify(texts)).digest("hex");

const findContents = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("contents")
    .select(["id", "hash", "subject", "html", "text"])
    .where((eb) => engine.anyOf(eb.ref("id"), ids, "bigint")),
);

interface HashedContent {
  hash: string;
  subject: string;
  html: string;
  text: string;
}

// No unique index: one would wait for an open transaction, such as a host's, that stored the same first, in any workspace.

const addContent = prepared(
  (_db, { hash, subject, html, text }: HashedContent, engine) => sql<{ id: number }>`
    insert into ${engine.table("contents")} (hash, subject, html, text)
    select cast(${hash} as text), cast(${subject} as text), cast(${html} as text), cast(${text} as text)
    where not exists (select 1 from ${engine.table("contents")} as c where c.hash = cast(${hash} as text))
    returning id
  `,
);

const addSet = prepared(
  (_db, { hash, css }: { hash: string; css: string }, engine) => sql<{ id: number }>`
    insert into ${engine.table("stylesheet_sets")} (hash, css)
    select cast(${hash} as text), cast(${css} as text)
    where not exists (select 1 from ${engine.table("stylesheet_sets")} as s where s.hash = cast(${hash} as text))
    returning id
  `,
);

/** Locked against `deleteUnused` alone until the transaction ends: a host's may stay open, and others send the same. */
const takeContent = prepared((db, { hash }: { hash: string }, engine) =>
  engine.forReference(
    db.selectFrom("contents").select("id").where("hash", "=", hash).orderBy(byNumber).limit(sql.lit(1)),
  ),
);

const takeSet = prepared((db, { hash }: { hash: string }, engine) =>
  engine.forReference(
    db
      .selectFrom("stylesheet_sets")
      .select("id")
      .where("hash", "=", hash)
      .orderBy(byNumber)
      .limit(sql.lit(1)),
  ),
);

/** Contents and stylesheet sets, each stored once, but for concurrent transactions that store the same first. */
export const createContentsRepository = (db: Handle, engine: Engine): Contents => ({
  put({ subject, html, text }) {
    const hash = hashOf(subject, html, text);
    const content = { hash, subject, html, text };
    return untilFound(
      "a content",
      async () => (await addContent(db, engine, content))[0]?.id,
      async () => (await takeContent(db, engine, { hash }))[0]?.id,
    );
  },
  find: async (id) => (await findContents(db, engine, { ids: [id] }))[0],
  findMany: (ids) => findContents(db, engine, { ids }),
  putStylesheetSet(css) {
    const hash = hashOf(css);
    return untilFound(
      "a set of stylesheets",
      async () => (await addSet(db, engine, { hash, css }))[0]?.id,
      async () => (await takeSet(db, engine, { hash }))[0]?.id,
    );
  },
  findStylesheetSet: (id) =>
    db.selectFrom("stylesheet_sets").select(["hash", "css"]).where("id", "=", id).executeTakeFirst(),
  deleteUnused: (limit) =>
    atomically(db, async (tx) => {
      const loose = await engine
        .skipLocked(tx.selectFrom("loose_contents").selectAll().orderBy("id").limit(limit))
        .execute();
      let checked = 0;
      for (const kind of ["content", "set"] as const) {
        const marks = loose.filter((row) => row.kind === kind);
        if (marks.length > 0) checked += await deleteUnusedOf(tx, engine, kind, marks);
      }
      return checked === 0 ? 0 : loose.length;
    }),
});

/** What may lose a reference, and the tables with a column that refers to it. */
const shared = {
  content: {
    table: "contents",
    column: "content_id",
    referring: ["template_versions", "emails", "campaigns"],
  },
  set: {
    table: "stylesheet_sets",
    column: "stylesheet_set_id",
    referring: ["workspaces", "emails", "campaigns"],
  },
} as const;

/**
 * Deletes those without a reference; returns the number of marks that are done with. Rows in use are left for later: a transaction
 * that refers to them has them locked. Once we hold the lock, no new reference can begin.
 */
async function deleteUnusedOf(
  db: Handle,
  engine: Engine,
  kind: keyof typeof shared,
  marks: readonly Pick<Row<"loose_contents">, "id" | "row_id">[],
): Promise<number> {
  const { table, column, referring } = shared[kind];
  const ids = [...new Set(marks.map(({ row_id }) => row_id))];
  const rows = db
    .selectFrom(table)
    .select("id")
    .where((eb) => engine.anyOf(eb.ref("id"), ids));
  const held = new Set((await rows.execute()).map(({ id }) => id));
  const free = (await engine.skipLocked(rows).execute()).map(({ id }) => id);
  for (const id of free) held.delete(id);
  const unused = referring.map(
    (other) =>
      sql`not exists (select 1 from ${engine.table(other)} as o where ${sql.ref(`o.${column}`)} = c.id)`,
  );
  await sql`
    delete from ${engine.table(table)} as c
    where ${engine.anyOf(sql.ref("c.id"), free)} and ${sql.join(unused, sql` and `)}
  `.execute(db);
  // Of one that is left one mark is enough: many would be all that each look reads.
  const checked = marks.flatMap(({ id, row_id }) => (held.delete(row_id) ? [] : [id]));
  await db
    .deleteFrom("loose_contents")
    .where((eb) => engine.anyOf(eb.ref("id"), checked))
    .execute();
  return checked.length;
}
