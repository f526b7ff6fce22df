import type { Handle } from "./engine.ts";

/** Runs several statements as one: in the handle's transaction if it is one, in a new one otherwise. */
export const atomically = <T>(db: Handle, work: (db: Handle) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
