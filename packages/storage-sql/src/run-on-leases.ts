import type { Engine, Handle } from "./engine.ts";

/**
 * Runs a transaction, and writes at its end what it spent from leases: a recall locks counters before leases, and
 * spending must do so too. If the transaction fails, those leases are forgotten, and the retry charges the counters.
 */
export async function runOnLeases<T>(
  db: Handle,
  engine: Engine,
  work: (db: Handle) => Promise<T>,
): Promise<T> {
  let own: Handle | undefined;
  try {
    return await db.transaction().execute(async (handle) => {
      own = handle;
      const result = await work(handle);
      await engine.leases?.spend(handle, engine);
      return result;
    });
  } catch (error) {
    if (own !== undefined) engine.leases?.forgetAfter(own);
    throw error;
  }
}
