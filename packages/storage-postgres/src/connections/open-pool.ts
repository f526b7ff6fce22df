import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@posthorn/core/storage";
import type { ClientBase, Pool } from "pg";
import type { ListeningClient } from "../notifications/listen.ts";
import { take } from "./check-out.ts";
import type { Timeouts } from "./timeouts.ts";

/** A pool, and a listening connection from it or beside it. */
export interface OpenedPool {
  /** For writes. */
  pool: Pool;
  /** For reads; the same pool if there is only one. */
  reads: Pool;
  /** Of the connections, how many are for reads and how many for writes, also if both are of one pool. */
  shares: { reads: number; writes: number };
  /** Whether connections were opened with the time-outs set. */
  keepsTimeouts: boolean;
  /** `undefined` if the pool has no connection to spare. */
  connectListener: (() => Promise<ListeningClient>) | undefined;
  close(): Promise<void>;
}

export interface OpenPoolOptions {
  connectionString?: string | undefined;
  listenConnectionString?: string | undefined;
  pool?: Pool | undefined;
  max?: number | undefined;
  transactionPooler?: boolean | undefined;
  logger: Logger;
  timeouts: Timeouts;
}

const keepAliveMs = 10_000;
/** Ms to wait for a connection to close: a half-open one never does. */
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
    // Missing in the types: lets an otherwise idle process end.
    (client as typeof client & { unref(): void }).unref();
    return { client, end: () => void client.end().catch(() => {}) };
  };

/** The host's `pool.end()` waits for every client, and says so only by removing those that are idle. */
const borrowListener = (pool: Pool) => async (): Promise<ListeningClient> => {
  const { client, release } = await take(pool);
  let isReleased = false;
  const end = (): void => {
    if (isReleased) return;
    isReleased = true;
    pool.off("remove", endIfPoolDoes);
    // Not returned to the host's pool, where it would go on listening.
    release(true);
  };
  const endIfPoolDoes = (): void => {
    if (pool.ending) end();
  };
  pool.on("remove", endIfPoolDoes);
  return { client, end };
};

const leadsThroughPooler = ({ transactionPooler, listenConnectionString }: OpenPoolOptions): boolean =>
  transactionPooler ?? listenConnectionString !== undefined;

/** What every connection of ours is set to: the database's defaults may be others. */
const settings = [
  // A transaction of one statement runs without a `begin` that would name it.
  "set default_transaction_isolation to 'read committed'",
  // Without it the nulls of an array are the text NULL, and no result of a delivery could be stored.
  "set array_nulls to on",
  // What was accepted would not be on the disk when it is answered. All other values wait for that.
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
  // The connection that stays open would be lost again and again.
  "set idle_session_timeout to 0",
  // From PostgreSQL 17 on. Each statement has a limit of ours; a migration that takes longer would never come to an end.
  "select set_config('transaction_timeout', '0', false) where current_setting('server_version_num')::int >= 170000",
  // A list's costs are overestimated, as it ends at its limit: compiling its plan took longer than executing it.
  "set jit to off",
];

/** If this fails, the connection is lost, and what follows it on the connection fails too. */
const settle = (client: ClientBase): void => {
  client.query(settings.join("; ")).catch(() => {});
};

const openOwn = async (connectionString: string, max: number, options: OpenPoolOptions): Promise<Pool> => {
  const { default: pg } = await import("pg");
  const { timeouts } = options;
  const keepsSettings = !leadsThroughPooler(options);
  const pool = new pg.Pool({
    connectionString,
    max,
    // One connection stays open even when idle: it shows who uses the database, and saves the next request from
    // connecting.
    min: Math.min(1, max),
    connectionTimeoutMillis: timeouts.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    allowExitOnIdle: true,
    fallback_application_name: "posthorn",
    pipeline: true,
    // A pooler rejects startup parameters that it does not know, or keeps them for other clients.
    ...(keepsSettings
      ? {
          statement_timeout: timeouts.statement,
          lock_timeout: timeouts.lock,
          idle_in_transaction_session_timeout: timeouts.idleInTransaction,
        }
      : {}),
  });
  if (keepsSettings) pool.on("connect", settle);
  return pool;
};

/** A third of the connections is for reads, but one at least, unless there is only one in all. */
const sharesOf = (max: number): { reads: number; writes: number } => {
  const reads = Math.floor(max / 3) || Math.min(1, max - 1);
  return { reads, writes: max - reads };
};

/** Opens two pools. With a single connection there is only one pool. */
const openBoth = async (connectionString: string, options: OpenPoolOptions) => {
  const { reads, writes } = sharesOf(options.max ?? 10);
  const pool = await openOwn(connectionString, writes, options);
  return { pool, reads: reads === 0 ? pool : await openOwn(connectionString, reads, options) };
};

/** Opens pools, or uses the host's. In both, losing an idle connection is logged instead of ending the process. */
export const openPool = async (options: OpenPoolOptions): Promise<OpenedPool> => {
  const { connectionString, listenConnectionString = connectionString, pool: borrowed, logger } = options;
  const { pool, reads } =
    borrowed === undefined
      ? await openBoth(connectionString ?? "", options)
      : { pool: borrowed, reads: borrowed };
  const pools = new Set([pool, reads]);
  const onError = (err: unknown) => logger.warn({ err }, "lost an idle connection to PostgreSQL");
  for (const each of pools) each.on("error", onError);
  const spare = (pool.options.max ?? 10) > 1 ? borrowListener(pool) : undefined;
  return {
    pool,
    reads,
    shares: sharesOf(borrowed?.options.max ?? options.max ?? 10),
    keepsTimeouts: borrowed === undefined && !leadsThroughPooler(options),
    connectListener:
      listenConnectionString === undefined
        ? spare
        : connectListener(listenConnectionString, options.timeouts),
    async close() {
      if (borrowed) pool.off("error", onError);
      else {
        const ended = Promise.all([...pools].map((each) => each.end()));
        await Promise.race([ended, delay(farewellMs, undefined, { ref: false })]);
      }
    },
  };
};
