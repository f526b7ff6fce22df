import { createHash } from "node:crypto";
import {
  createTurns,
  type Logger,
  type Storage,
  StorageUnavailable,
  silentLogger,
  sparingLogger,
  type Topic,
  unfailingLogger,
  withDefaults,
} from "@posthorn/core/storage";
import {
  assertNodeVersion,
  createAllRepositories,
  createHandleOn,
  createHostTransaction,
  createSqlStorage,
  type Database,
  type Handle,
  rootHandle,
  runOnLeases,
} from "@posthorn/storage-sql";
import { Kysely } from "kysely";
import type { Pool } from "pg";
import type { WithClient } from "./connections/assert-own-process.ts";
import { checkOut } from "./connections/check-out.ts";
import type { ConnectionSource } from "./connections/create-session.ts";
import { createStatementRunner } from "./connections/create-statement-runner.ts";
import { isThroughPooler } from "./connections/is-through-pooler.ts";
import { type OpenedPool, openPool } from "./connections/open-pool.ts";
import { connectFromPool } from "./connections/pool-connection.ts";
import { createPostgresDialect, type PostgresConnection } from "./connections/postgres-dialect.ts";
import { retryConflicts, withRetries } from "./connections/retry-conflicts.ts";
import { createStuckReads } from "./connections/stuck-reads.ts";
import { defaultTimeouts, patient, type Timeouts } from "./connections/timeouts.ts";
import { createEngines } from "./engine/create-engines.ts";
import { createConnectionsWithin } from "./host/connections-within.ts";
import type { PostgresTransaction } from "./host/host-transaction.ts";
import { createNotifier, type Notifier, notifyWithin } from "./notifications/create-notifier.ts";
import { listen, sendPayload } from "./notifications/listen.ts";
import { refusesParameters } from "./postgres-errors.ts";
import { checkPostgresOptions, type PostgresStorageOptions, urlWords } from "./postgres-storage-options.ts";
import { createAssumptions } from "./round-trips/create-assumptions.ts";
import { asOneWrite, createJoinedTexts } from "./round-trips/joined-texts.ts";
import { createKnownAnswers } from "./round-trips/known-answers.ts";
import { createSharedReads } from "./round-trips/shared-reads.ts";
import { assertOpen, assertWritable } from "./server/assert-open.ts";
import { assertRights } from "./server/assert-rights.ts";
import { assertSequences } from "./server/assert-sequences.ts";
import { checkServer } from "./server/check-server.ts";
import { explainRights } from "./server/explain-rights.ts";
import { migratePatiently } from "./server/migrate-patiently.ts";
import { createStaleStatistics } from "./server/stale-statistics.ts";
import { createStatementNames, type NameStatement } from "./statements/statement-names.ts";

/** A channel name of at most 63 bytes, the length to which PostgreSQL truncates names. */
const channelOf = (schema: string): string => {
  const name = `posthorn_${schema}`;
  return name.length <= 63
    ? name
    : `posthorn_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
};

const assertSchema = (schema: string): string => {
  if (!/^[a-z_][a-z0-9_]{0,62}$/i.test(schema) || /^pg_/i.test(schema))
    throw new TypeError(`schema must be a plain name such as "posthorn", not ${JSON.stringify(schema)}`);
  return schema;
};

/**
 * Opens Posthorn's storage in a PostgreSQL database, 14 or newer. Call `migrate()` before anything else. A handle for
 * `within` is the `PoolClient` with the open transaction, a Kysely `Transaction`, or the result of `hostTransaction`
 * for another library's. Rejects with `StorageUnavailable` if the server can't be reached. Close it before the host's
 * pool.
 */
export const createPostgresStorage = async (
  options: PostgresStorageOptions,
): Promise<Storage<PostgresTransaction>> => {
  assertNodeVersion("PostgreSQL");
  checkPostgresOptions(options);
  try {
    return await openStorage(options);
  } catch (error) {
    // Node's error has the whole URL, password included.
    if ((error as NodeJS.ErrnoException).code === "ERR_INVALID_URL")
      throw new TypeError(
        `a connection string can't be read: it must be ${urlWords}, in which # / ? and @ of a password are written %23 %2F %3F %40`,
      );
    if (
      options.transactionPooler !== undefined ||
      !(error instanceof PoolerFound || refusesParameters(error))
    )
      throw error;
    // Which mode it is in can't be told. Settings for the transaction mode also work in the others.
    options.logger?.info({}, "a pooler is in front of PostgreSQL: no state is kept on its connections");
    return openStorage({ ...options, transactionPooler: true });
  }
};

/** Thrown if a pooler is found: connections opened for a direct server have to be opened again. */
class PoolerFound extends Error {
  override name = "PoolerFound";
}

/** What the connections of a storage share. */
const createShared = (
  db: () => Handle,
  { schema, isOwn, slowMs }: { schema: string; isOwn: boolean; slowMs: number },
  known = createKnownAnswers(),
) => ({
  known,
  stuckReads: createStuckReads(),
  sharedReads: isOwn ? createSharedReads(undefined, known) : undefined,
  joinedTexts: createJoinedTexts(asOneWrite),
  staleStatistics: createStaleStatistics(db, { schema, slowMs }),
});

/**
 * Limits what callers have under way, so that connections stay free for all else: otherwise a tenant's lists would delay
 * every look-up of others' keys, and its changes every send.
 */
const turnsOn = ({ shares }: OpenedPool, { statement: ms }: Timeouts) => {
  const error = () => new StorageUnavailable(`earlier work on PostgreSQL did not end within ${ms} ms`);
  // As for PostgreSQL's own time-outs, 0 is never.
  const patience = ms === 0 ? {} : { patience: { ms, error } };
  return {
    longReads: createTurns({
      all: Math.max(1, shares.reads - 1),
      each: Math.max(1, Math.floor(shares.reads / 2)),
      ...patience,
    }),
    changes: createTurns({
      all: Math.max(1, shares.writes - 2),
      each: Math.max(1, Math.floor(shares.writes / 2)),
      ...patience,
    }),
  };
};

/** Takes a connection from a pool for each piece of work, and drops it if the work fails. */
const clientsOf =
  (pool: Pool, timeouts: Timeouts): WithClient =>
  async (work) => {
    const { client, release } = await checkOut(pool, timeouts);
    let failed = true;
    try {
      const result = await work(client);
      failed = false;
      return result;
    } finally {
      release(failed);
    }
  };

/** Creates the notifications between processes over a pool and its listening connection. */
const createNews = ({
  opened: { pool, connectListener: connect },
  channel,
  logger,
  timeouts,
  nameStatement,
}: {
  opened: OpenedPool;
  channel: string;
  logger: Logger;
  timeouts: Timeouts;
  nameStatement: NameStatement | undefined;
}): Notifier => {
  const withClient = clientsOf(pool, timeouts);
  const running = { timeoutMs: timeouts.query, nameStatement };
  const send = (payload: string): Promise<void> =>
    withClient((client) => sendPayload(client, { channel, payload }, running));
  const { listenCheck: checkMs, connect: timeoutMs } = timeouts;
  const common = { connect, channel, send, withClient, logger, checkMs, timeoutMs };
  return createNotifier({
    send,
    listen: ({ payload, missed }) => listen({ ...common, onPayload: payload, onMissed: missed }),
  });
};

/** For migrations, and copies: each transaction sets its own time-outs, and nothing is prepared for tables that change. */
const forLongWork = (timeouts: Timeouts): Partial<ConnectionSource> => ({
  timeouts: patient(timeouts),
  keepsTimeouts: false,
  nameStatement: undefined,
});

/** Throws `PoolerFound` if there is a pooler before the server. */
const assertDirect = async (...server: Parameters<typeof isThroughPooler>): Promise<void> => {
  if (await isThroughPooler(...server)) throw new PoolerFound("there is a pooler before PostgreSQL");
};

const openStorage = async (options: PostgresStorageOptions): Promise<Storage<PostgresTransaction>> => {
  const schema = assertSchema(options.schema ?? "posthorn");
  const logger = sparingLogger(unfailingLogger(options.logger ?? silentLogger), () => performance.now());
  const timeouts = withDefaults(defaultTimeouts, options.timeouts);
  const opened = await openPool({ ...options, logger, timeouts });
  const { pool, reads, keepsTimeouts } = opened;
  const engines = createEngines(() => db, { schema, timeouts, keepsSettings: keepsTimeouts });
  const { engine, hostEngine, timeline, turns } = engines;
  const nameStatement = keepsTimeouts ? createStatementNames() : undefined;
  const shared = createShared(() => db, { schema, isOwn: options.pool === undefined, slowMs: timeouts.slow });
  const { longReads, changes } = turnsOn(opened, timeouts);
  const lost = timeline.doubt;
  for (const each of new Set([pool, reads])) each.on("error", lost);
  const source = { pool, reads, engine, timeouts, keepsTimeouts, nameStatement, longReads, lost, ...shared };
  const channel = channelOf(schema);
  let closed: Promise<void> | undefined;

  const connectWith = (over: Partial<ConnectionSource>) => (): PostgresConnection => {
    if (closed) throw isClosed();
    return connectFromPool({ ...source, ...over });
  };
  const open = (connect: () => PostgresConnection): Handle =>
    new Kysely<Database>({ dialect: createPostgresDialect(connect) }).withSchema(schema);
  /** A handle whose statements and transactions go directly to a connection. */
  const openStraight = (connect: () => PostgresConnection): Handle => {
    const db = open(connect);
    return rootHandle(db, createStatementRunner(connect, createHandleOn(db, createPostgresDialect(connect))));
  };
  const db = openStraight(connectWith({}));
  const handleOn = createHandleOn(db, createPostgresDialect(connectWith({})));
  const assume = createAssumptions({ db, engine, known: shared.known }, handleOn);

  const notifier = createNews({ opened, channel, logger, timeouts, nameStatement });
  const isClosed = () => new StorageUnavailable("the storage is closed", { isFinal: true });
  const close = async () => {
    for (const turns of [longReads, changes]) turns.close(isClosed());
    for (const each of new Set([pool, reads])) each.off("error", lost);
    await notifier.close();
    // A host ends its own pool next.
    await Promise.all([shared.staleStatistics.settled(), turns.settled()]);
    await opened.close();
  };
  const common = {
    engine,
    clock: options.clock ?? { now: () => Date.now() },
    within: (handle: unknown) => {
      if (closed) throw isClosed();
      const connect = createConnectionsWithin(handle, engine, timeouts.query);
      const joined = open(connect);
      // Delivered when the host commits, also to this process.
      const notify = (db: Handle, topics: Topic[]) => notifyWithin(db, channel, topics);
      return createHostTransaction(joined, hostEngine, notify, timeline.assureWithin);
    },
    notify: async (topics: Parameters<Storage["notify"]>[0]) => notifier.notify(topics),
    subscribe: notifier.subscribe,
    close: () => (closed ??= close()),
  };
  const patientDb = openStraight(connectWith(forLongWork(timeouts)));
  const storage = createSqlStorage({
    ...common,
    db,
    patientDb,
    async transaction(work, holder) {
      const leave = holder === undefined ? undefined : await changes.enter(holder);
      const run = async () => {
        await timeline.assure(db);
        return runOnLeases(db, engine, work);
      };
      return await retryConflicts(run).finally(leave);
    },
  });
  const migrating = createSqlStorage({ ...common, db: patientDb });

  try {
    await checkServer(db, { schema, logger });
    await timeline.probe(db);
    if (keepsTimeouts && options.transactionPooler === undefined) await assertDirect(reads, engine, timeouts);
  } catch (error) {
    await common.close();
    throw error;
  }
  return {
    ...storage,
    ...withRetries(createAllRepositories(db, engine)),
    async migrate() {
      const ran = await migratePatiently(migrating.migrate, logger).catch(async (error: unknown) => {
        throw await explainRights(db, schema, error);
      });
      // With a schema that is up to date nothing was written.
      await assertWritable(db);
      await assertRights(db, schema);
      if (ran.length === 0) await assertSequences(db, schema);
      await timeline.note(db);
      return ran;
    },
    ping: () => assertOpen(db, engine),
    ...(keepsTimeouts ? { assume: () => (timeline.isInDoubt() ? undefined : assume()) } : {}),
    isRemote: true,
  };
};
