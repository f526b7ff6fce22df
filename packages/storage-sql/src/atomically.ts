import type { Handle } from "./engine.ts";

/** Runs several statements atomically: in the handle's transaction if it is one, else in a new one. */
export const atomically = <T>(db: Handle, work: (db: Handle) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
