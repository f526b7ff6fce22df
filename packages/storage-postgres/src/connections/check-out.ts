import { afterPatience, StorageUnavailable } from "@posthorn/core/storage";
import type { Pool, PoolClient } from "pg";
import type { Timeouts } from "./timeouts.ts";

/** A pool's client, until its release. */
export interface TakenClient {
  client: PoolClient;
  /** Whether its connection was lost, also between two statements. */
  isLost(): boolean;
  /** Returns it to the pool; one that is in doubt or lost is closed. */
  release(isInDoubt?: boolean): void;
}

/** The usual cause on a host's pool: what a call waits for is the connection that its caller keeps. */
const forgotten = "; a call inside a transaction of the host's needs that as `transaction`";

/**
 * Takes a client from a pool. A host's pool (`isHosts`) may wait without limit: a client that comes too late is returned at
 * once.
 */
export const checkOut = async (
  pool: Pool,
  timeouts: Timeouts,
  { isHosts = false }: { isHosts?: boolean } = {},
): Promise<TakenClient> => {
  // An idle client arrives in the same turn: most statements need no timer.
  if (pool.idleCount > pool.waitingCount) return take(pool);
  const { max = 10 } = pool.options;
  // The pool lets whoever comes wait for an idle client, however many do already.
  const isWaiting = pool.idleCount > 0 || pool.totalCount >= max;
  // While a connection is being opened, the pool's own time-out comes first, if it has one.
  const waitMs = isWaiting ? timeouts.turn : timeouts.connect + 100;
  let late = false;
  const coming = take(pool).then((taken) => {
    if (late) taken.release();
    return taken;
  });
  const { promise: tooLong, reject } = Promise.withResolvers<never>();
  const callOff = afterPatience(waitMs, () => {
    late = true;
    const fault = isWaiting
      ? `all ${max} connections of the pool to PostgreSQL were in use, or being opened, for ${waitMs} ms${isHosts ? forgotten : ""}`
      : "no connection to PostgreSQL was opened in time";
    reject(new StorageUnavailable(fault));
  });
  try {
    return await Promise.race([coming, tooLong]);
  } finally {
    callOff();
  }
};

/**
 * The pool's own listener for errors ends before its callback, so ours begins within that: a connection that was reset
 * as soon as it was open reports it before a promise could go on, and without a listener would end the process.
 */
export const take = (pool: Pool): Promise<TakenClient> =>
  new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) reject(error);
      else resolve(watchClient(client));
    });
  });

function watchClient(client: PoolClient): TakenClient {
  let isLost = false;
  const onError = (): void => {
    isLost = true;
  };
  client.on("error", onError);
  return {
    client,
    isLost: () => isLost,
    release(isInDoubt = false) {
      client.off("error", onError);
      client.release(isInDoubt || isLost);
    },
  };
}
