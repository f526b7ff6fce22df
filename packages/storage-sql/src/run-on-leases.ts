import type { Engine, Handle } from "./engine.ts";

/** Runs a transaction; where it fails, leases that it spent of are forgotten: another run charges the counters. */
export async function runOnLeases<T>(
  db: Handle,
  engine: Engine,
  work: (db: Handle) => Promise<T>,
): Promise<T> {
  let own: Handle | undefined;
  try {
    return await db.transaction().execute((handle) => {
      own = handle;
      return work(handle);
    });
  } catch (error) {
    if (own !== undefined) engine.leases?.forgetAfter(own);
    throw error;
  }
}
