import { type Engine, portError } from "@posthorn/storage-sql";
import type { Pool } from "pg";
import { checkOut } from "./check-out.ts";
import { processNumbers } from "./process-numbers.ts";
import type { Timeouts } from "./timeouts.ts";

/** Whether a pooler is between a pool and its server, even one that drops startup parameters without a word. */
export const isThroughPooler = async (pool: Pool, engine: Engine, timeouts: Timeouts): Promise<boolean> => {
  const unavailable = (error: unknown): never => {
    throw portError(engine, error);
  };
  const { client, release } = await checkOut(pool, timeouts).catch(unavailable);
  try {
    const { told, own } = await processNumbers(client, timeouts.query).catch(unavailable);
    return told !== own;
  } finally {
    release();
  }
};
