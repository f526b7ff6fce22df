import { type Operations, skippedIds } from "@posthorn/core/storage";
import { sql } from "kysely";
import { copiedTables } from "../../copied-tables.ts";
import type { Engine, Handle } from "../../engine.ts";
import { foldCounters } from "../../fold-counters.ts";
import type { TableName } from "../../tables.ts";
import { stillBefore } from "../still-before.ts";
import { findFact } from "./find-fact.ts";
import { listSealed, listSealedOtherwise, replaceSealed } from "./sealed-texts.ts";

/** Workers' heartbeats, and facts about the database itself. */
export const createOperationsRepository = (db: Handle, engine: Engine): Operations => ({
  async beat(worker, now) {
    await db
      .insertInto("workers")
      .values({ worker, seen_at: now })
      .onConflict((known) => known.column("worker").doUpdateSet({ seen_at: now }))
      .execute();
  },
  async forgetWorker(worker) {
    await db.deleteFrom("workers").where("worker", "=", worker).execute();
  },
  async listWorkers(since) {
    const rows = await db
      .selectFrom("workers")
      .selectAll()
      .where("seen_at", ">=", since)
      .orderBy("seen_at", "desc")
      .orderBy("worker")
      .execute();
    return rows.map(({ worker, seen_at }) => ({ worker, seenAt: seen_at }));
  },
  async restoreSeen(after, now) {
    await db.updateTable("workers").set({ seen_at: now }).where("seen_at", ">", after).execute();
  },
  async takeJob(name, worker, now, until) {
    const { rows } = await sql`
      insert into ${engine.table("jobs")} as j (name, worker, until) values (${name}, ${worker}, ${until})
      on conflict (name) do update set worker = excluded.worker, until = excluded.until
      where j.worker = excluded.worker or j.until <= ${now} or j.until > ${2 * until - now}
      returning name
    `.execute(db);
    return rows.length > 0;
  },
  async endJob(name, worker) {
    await db.deleteFrom("jobs").where("name", "=", name).where("worker", "=", worker).execute();
  },
  async deleteWorkers(before, limit) {
    const deleted = await db
      .deleteFrom("workers")
      .where("worker", "in", (old) =>
        old.selectFrom("workers").select("worker").where("seen_at", "<", before).limit(limit),
      )
      .where(stillBefore("seen_at", before))
      .returning("worker")
      .execute();
    return deleted.length;
  },
  foldCounters: (limit) => foldCounters(db, engine, limit),
  findFact: (name) => findFact(db, name),
  async keepFact(name, value) {
    const known = await findFact(db, name);
    // Every command asks: a write would wait for whoever writes to the same SQLite file.
    if (known !== undefined) return known;
    await db
      .insertInto("facts")
      .values({ name, value })
      .onConflict((row) => row.column("name").doNothing())
      .execute();
    return (await findFact(db, name)) ?? value;
  },
  async forgetFact(name) {
    await db.deleteFrom("facts").where("name", "=", name).execute();
  },
  async replaceFact(name, value) {
    await db
      .insertInto("facts")
      .values({ name, value })
      .onConflict((known) => known.column("name").doUpdateSet({ value }))
      .execute();
  },
  listSealedOtherwise: (prefix, limit) => listSealedOtherwise(db, engine, prefix, limit),
  listSealed: (column, after) => listSealed(db, engine, column, after),
  replaceSealed: (column, texts) => replaceSealed(db, engine, column, texts),
  async skipIds() {
    // Of the others, the counter may be behind the rows: logical replication copies none.
    const skipped: Partial<Record<TableName, number>> = skippedIds;
    for (const { name, types } of copiedTables) {
      if (!Object.hasOwn(types, "id")) continue;
      await engine.setLastId(db, name, (await engine.lastId(db, name)) + (skipped[name] ?? 0));
    }
  },
});
