import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@posthorn/core";
import type { Pool } from "pg";
import type { ListeningClient } from "./listen.ts";
import type { Timeouts } from "./timeouts.ts";

/** A pool, and a connection beside it or out of it for listening. */
export interface OpenedPool {
  pool: Pool;
  /** `undefined` where the pool has no connection to spare. */
  connectListener: (() => Promise<ListeningClient>) | undefined;
  close(): Promise<void>;
}

export interface OpenPoolOptions {
  connectionString?: string;
  listenConnectionString?: string;
  pool?: Pool;
  max?: number;
  logger: Logger;
  timeouts: Timeouts;
}

const keepAliveMs = 10_000;
/** A connection that is half-open never says goodbye. */
const farewellMs = 2_000;

const connectListener =
  (connectionString: string, timeouts: Timeouts) => async (): Promise<ListeningClient> => {
    const { default: pg } = await import("pg");
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: timeouts.connect,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      fallback_application_name: "posthorn (listening)",
    });
    client.on("error", () => {});
    await client.connect();
    // The types lack it: a process with nothing else to do may end.
    (client as typeof client & { unref(): void }).unref();
    return { client, end: () => void client.end().catch(() => {}) };
  };

const borrowListener = (pool: Pool) => async (): Promise<ListeningClient> => {
  const client = await pool.connect();
  // Not back to the host's pool: it would go on listening there.
  return { client, end: () => client.release(true) };
};

const openOwn = async (connectionString: string, options: OpenPoolOptions): Promise<Pool> => {
  const { default: pg } = await import("pg");
  return new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.timeouts.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    allowExitOnIdle: true,
    fallback_application_name: "posthorn",
  });
};

/** Opens a pool, or borrows the host's. Either way a connection lost while it is idle is a line in the log, not the end of the process. */
export const openPool = async (options: OpenPoolOptions): Promise<OpenedPool> => {
  const { connectionString, listenConnectionString = connectionString, pool: borrowed, logger } = options;
  if (borrowed === undefined && connectionString === undefined)
    throw new TypeError("createPostgresStorage needs a connectionString or a pool");
  const pool = borrowed ?? (await openOwn(connectionString ?? "", options));
  const onError = (err: unknown) => logger.warn({ err }, "lost an idle connection to PostgreSQL");
  pool.on("error", onError);
  const spare = (pool.options.max ?? 10) > 1 ? borrowListener(pool) : undefined;
  return {
    pool,
    connectListener:
      listenConnectionString === undefined
        ? spare
        : connectListener(listenConnectionString, options.timeouts),
    async close() {
      if (borrowed) pool.off("error", onError);
      else await Promise.race([pool.end(), delay(farewellMs, undefined, { ref: false })]);
    },
  };
};
