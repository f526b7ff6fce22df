import type {
  Clock,
  Holder,
  HostTransaction,
  JoinedRepositories,
  Repositories,
  Storage,
  Topic,
} from "@posthorn/core/storage";
import { version } from "@posthorn/core/version";
import { sql } from "kysely";
import type { CopySide } from "./copy-tables.ts";
import { createAllRepositories, createRepositories } from "./create-repositories.ts";
import type { Engine, Handle } from "./engine.ts";
import { listMigrations, migrate } from "./migrate.ts";

/**
 * The repositories inside a host's transaction, on a handle whose transactions are savepoints. `notify` sends
 * notifications on a given handle; `assure` runs first in each savepoint.
 */
export const createHostTransaction = (
  db: Handle,
  engine: Engine,
  notify: (db: Handle, topics: Topic[]) => Promise<void>,
  assure?: (db: Handle) => Promise<void>,
): HostTransaction => {
  const joined = (handle: Handle): JoinedRepositories => {
    const repositories = createRepositories(handle, engine) as JoinedRepositories;
    repositories.notify = (topics) => notify(handle, topics);
    return repositories;
  };
  return Object.assign(joined(db), {
    now: () => readClock(db, engine),
    savepoint: <T>(work: (repositories: JoinedRepositories) => Promise<T>) =>
      db.transaction().execute(async (handle) => {
        await assure?.(handle);
        return work(joined(handle));
      }),
  });
};

async function readClock(db: Handle, engine: Engine): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${engine.clock} as now`.execute(db);
  return Number(rows[0]?.now);
}

/** Parts of a storage that depend on the engine. */
export interface SqlStorageOptions {
  db: Handle;
  /** Whose transactions may take long, for copying the database as a whole; by default `db`. */
  patientDb?: Handle;
  engine: Engine;
  clock: Clock;
  within: Storage["within"];
  notify: Storage["notify"];
  subscribe: Storage["subscribe"];
  /** Implements `reclaim` of the port, for an engine that does not reclaim space by itself. */
  reclaim?: Storage["reclaim"];
  close(): Promise<void>;
  /** Runs a transaction; by default once. An engine that must retry transactions overrides it. */
  transaction?: <T>(work: (db: Handle) => Promise<T>, holder: Holder | undefined) => Promise<T>;
}

const side = Symbol("the storage's tables");

/** The database behind a storage, for copying it as a whole. Throws for a storage without SQL. */
export const sideOf = (storage: Storage): CopySide => {
  const found = (storage as Storage & { [side]?: CopySide })[side];
  if (found === undefined) throw new TypeError("the storage has no SQL tables");
  return found;
};

/** Creates a storage on one Kysely handle. */
export const createSqlStorage = (options: SqlStorageOptions): Storage & { [side]: CopySide } => {
  const { db, engine, clock } = options;
  const transaction = options.transaction ?? ((work) => db.transaction().execute(work));
  /** An engine may reuse a handle for one transaction after another. */
  const made = new WeakMap<Handle, Repositories>();
  const repositoriesOn = (handle: Handle): Repositories => {
    const repositories = made.get(handle) ?? createRepositories(handle, engine);
    made.set(handle, repositories);
    return repositories;
  };
  return {
    version,
    [side]: { db, engine, patientDb: options.patientDb ?? db },
    ...createAllRepositories(db, engine),
    transaction: (work, holder) => transaction((handle) => work(repositoriesOn(handle)), holder),
    within: options.within,
    notify: options.notify,
    subscribe: options.subscribe,
    migrate: () => migrate(db, engine, Math.floor(clock.now())),
    migrations: () => listMigrations(db, engine),
    now: () => readClock(db, engine),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    reclaim: options.reclaim ?? (async () => 0),
    close: options.close,
  };
};
