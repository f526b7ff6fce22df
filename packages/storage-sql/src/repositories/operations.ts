import type { FactName, Operations } from "@posthorn/core/storage";
import type { Engine, Handle } from "../engine.ts";

const paused = "paused";

const findFact = async (db: Handle, name: FactName): Promise<string | undefined> =>
  (await db.selectFrom("facts").select("value").where("name", "=", name).executeTakeFirst())?.value;

/** The pause, the workers' signs of life, and what the database knows of itself. */
export const createOperationsRepository = (db: Handle, _engine: Engine): Operations => ({
  async isPaused() {
    const flag = await db.selectFrom("flags").select("value").where("name", "=", paused).executeTakeFirst();
    return Boolean(flag?.value);
  },
  async setPaused(value) {
    await db
      .insertInto("flags")
      .values({ name: paused, value })
      .onConflict((known) => known.column("name").doUpdateSet({ value }))
      .execute();
  },
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
  findFact: (name) => findFact(db, name),
  async keepFact(name, value) {
    await db
      .insertInto("facts")
      .values({ name, value })
      .onConflict((known) => known.column("name").doNothing())
      .execute();
    return (await findFact(db, name)) ?? value;
  },
  async replaceFact(name, value) {
    await db
      .insertInto("facts")
      .values({ name, value })
      .onConflict((known) => known.column("name").doUpdateSet({ value }))
      .execute();
  },
});
