import type { Engine, Handle } from "./engine.ts";

/**
 * Runs a transaction, and writes down at its end what it spent of leases: whoever recalls a lease has counters already, and so must whoever
 * spends of it. Where the transaction fails, those leases are forgotten: another run charges the counters.
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
