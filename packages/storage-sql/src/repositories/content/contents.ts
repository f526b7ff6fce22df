import { createHash } from "node:crypto";
import type { Contents } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
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

const addContent = prepared((db, content: HashedContent) =>
  db
    .insertInto("contents")
    .values({ hash: content.hash, subject: content.subject, html: content.html, text: content.text })
    .onConflict((known) => known.column("hash").doNothing())
    .returning("id"),
);

const addSet = prepared((db, set: { hash: string; css: string }) =>
  db
    .insertInto("stylesheet_sets")
    .values({ hash: set.hash, css: set.css })
    .onConflict((known) => known.column("hash").doNothing())
    .returning("id"),
);

/** Locked against `deleteUnused` alone until the transaction ends: a host's may stay open, and others send the same. */
const takeContent = prepared((db, { hash }: { hash: string }, engine) =>
  engine.forReference(db.selectFrom("contents").select("id").where("hash", "=", hash)),
);

const takeSet = prepared((db, { hash }: { hash: string }, engine) =>
  engine.forReference(db.selectFrom("stylesheet_sets").select("id").where("hash", "=", hash)),
);

/** Contents and stylesheet sets, each stored once. */
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
        .skipLocked(tx.selectFrom("loose_contents").selectAll().orderBy("kind").orderBy("id").limit(limit))
        .execute();
      const ids = (kind: string) => loose.flatMap((row) => (row.kind === kind ? [row.id] : []));
      const held = {
        content: await deleteUnusedContents(tx, engine, ids("content")),
        set: await deleteUnusedSets(tx, engine, ids("set")),
      };
      let done = 0;
      for (const { kind, id } of loose) {
        if ((kind === "set" ? held.set : held.content).has(id)) continue;
        await tx.deleteFrom("loose_contents").where("kind", "=", kind).where("id", "=", id).execute();
        done += 1;
      }
      return done;
    }),
});

/** Locks the rows that no transaction uses until this one ends; returns these, and those in use. */
async function keepFree(
  db: Handle,
  engine: Engine,
  table: "contents" | "stylesheet_sets",
  ids: number[],
): Promise<{ free: number[]; held: Set<number> }> {
  const rows = db
    .selectFrom(table)
    .select("id")
    .where((eb) => engine.anyOf(eb.ref("id"), ids));
  const held = new Set((await rows.execute()).map(({ id }) => id));
  const free = (await engine.skipLocked(rows).execute()).map(({ id }) => id);
  for (const id of free) held.delete(id);
  return { free, held };
}

/**
 * Rows in use stay: a transaction that refers to them has them locked. Once we hold the lock, no new reference can
 * begin.
 */
async function deleteUnusedContents(db: Handle, engine: Engine, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { free, held } = await keepFree(db, engine, "contents", ids);
  await sql`
    delete from ${engine.table("contents")} as c
    where ${engine.anyOf(sql.ref("c.id"), free)}
      and not exists (select 1 from ${engine.table("template_versions")} as v where v.content_id = c.id)
      and not exists (select 1 from ${engine.table("emails")} as e where e.content_id = c.id)
      and not exists (select 1 from ${engine.table("campaigns")} as m where m.content_id = c.id)
  `.execute(db);
  return held;
}

async function deleteUnusedSets(db: Handle, engine: Engine, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { free, held } = await keepFree(db, engine, "stylesheet_sets", ids);
  await sql`
    delete from ${engine.table("stylesheet_sets")} as s
    where ${engine.anyOf(sql.ref("s.id"), free)}
      and not exists (select 1 from ${engine.table("workspaces")} as w where w.stylesheet_set_id = s.id)
      and not exists (select 1 from ${engine.table("emails")} as e where e.stylesheet_set_id = s.id)
      and not exists (select 1 from ${engine.table("campaigns")} as m where m.stylesheet_set_id = s.id)
  `.execute(db);
  return held;
}
