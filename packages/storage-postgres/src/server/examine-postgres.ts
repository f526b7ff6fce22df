import { processNumbers } from "../connections/process-numbers.ts";
import { findBarred } from "./find-barred.ts";
import { findBehind } from "./find-behind.ts";

/** The state of a PostgreSQL server as far as it affects the service. Ages are in ms. */
export interface PostgresState {
  /** The same for every address of one database, and another for any other, a physical copy of its server included. */
  identity: string;
  /** Whether a pooler such as PgBouncer is in between. */
  isPooled: boolean;
  /** Posthorn's own connections to this database, by their default application names, or the one that the URL gives. */
  sessions: { pid: number; application: string; client: string | undefined }[];
  /** Whether the user may see how long other users' transactions have been open. */
  seesAll: boolean;
  /** The longest open transaction of this database, of those that the user may see. */
  oldestTransaction: { pid: number; application: string; isIdle: boolean; ageMs: number } | undefined;
  /** The transaction of this database that was prepared first, and neither committed nor rolled back. */
  oldestPrepared: { name: string; ageMs: number } | undefined;
  /**
   * The cause that prevents the removal of the oldest row versions, and their age in transactions; then the same for the
   * system's catalogs alone, of which a logical replication slot keeps all versions.
   */
  oldestVersions: { holder: string; transactions: number; ofCatalogs: boolean }[];
  /** The user of the connection, and the tables and sequences of the schema `posthorn` that it may not read and write. */
  user: string;
  barred: string[];
  /** The sequences that stand below ids of their tables, unless some of these may not be read. */
  behind: string[];
  /** Unused replication slots, and the bytes of WAL that each retains; one that is lost retains none, and has no use. */
  unusedSlots: { name: string; keptBytes: number; isLost: boolean }[];
}

const identityText = `select extract(epoch from pg_postmaster_start_time()) || ' ' || oid as identity
  from pg_database where datname = current_database()`;

const examining = "posthorn (examining)";

/** An application's name without the address that PgBouncer adds to it (`application_name_add_host`). */
const withoutHost = (name: string): string => `regexp_replace(${name}, ' - [^ ]+$', '')`;

// A service with the same URL, or `PGAPPNAME`, has the name that this connection has.
const sessionsText = `select pid, application_name as application, host(client_addr) as client from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and ${withoutHost("application_name")} in
    ('posthorn', 'posthorn (listening)', nullif(${withoutHost("current_setting('application_name')")}, '${examining}'))
  order by pid`;

const transactionText = `select pid, application_name as application, state like 'idle in transaction%' as "isIdle",
    (extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as "ageMs"
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and xact_start is not null
  order by xact_start limit 1`;

const preparedText = `select gid as name, (extract(epoch from clock_timestamp() - prepared) * 1000)::float8 as "ageMs"
  from pg_prepared_xacts where database = current_database() order by prepared limit 1`;

// An idle transaction that wrote something has a number, but no snapshot. A lost slot still shows what it held.
const versionsText = `with slots as (
    select 'the replication slot ' || slot_name as holder, xmin, catalog_xmin from pg_replication_slots
    where wal_status is distinct from 'lost'
  ) select distinct on ("ofCatalogs") holder, age(version) as transactions, "ofCatalogs" from (
    select 'the connection of process ' || pid as holder, unnest(array[backend_xmin, backend_xid]) as version,
      false as "ofCatalogs" from pg_stat_activity where pid <> pg_backend_pid()
    union all select holder, xmin, false from slots
    union all select holder, catalog_xmin, true from slots
    union all select 'the prepared transaction ' || gid, transaction, false from pg_prepared_xacts
  ) as holders where version is not null order by "ofCatalogs", age(version) desc`;

const userText = `select current_user::text as "user",
  pg_has_role(current_user, 'pg_read_all_stats', 'usage') as "seesAll"`;

// One that nobody has read yet, and that was not told to wait for a reader, retains nothing.
const slotsText = `select slot_name as name, "isLost",
    case when "isLost" then 0 else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 end as "keptBytes"
  from (select *, coalesce(wal_status = 'lost', false) as "isLost" from pg_replication_slots) as slots
  where not active and ("isLost" or restart_lsn is not null) order by slot_name`;

const timeoutMs = 5_000;

/** Inspects a server over a separate connection and changes nothing. Rejects with pg's error if it can't be reached. */
export const examinePostgres = async (connectionString: string): Promise<PostgresState> => {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    fallback_application_name: examining,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const ask = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows;
    const [{ identity = "" } = {}] = await ask<{ identity: string }>(identityText);
    const { told, own } = await processNumbers(client, timeoutMs);
    const sessions = await ask<{ pid: number; application: string; client: string | null }>(sessionsText);
    const [oldestTransaction] = await ask<NonNullable<PostgresState["oldestTransaction"]>>(transactionText);
    const [oldestPrepared] = await ask<NonNullable<PostgresState["oldestPrepared"]>>(preparedText);
    const [{ user, seesAll } = { user: "", seesAll: false }] =
      await ask<Pick<PostgresState, "user" | "seesAll">>(userText);
    const barred = await findBarred("posthorn", ask<{ name: string }>);
    return {
      identity,
      isPooled: told !== own,
      sessions: sessions.map((session) => ({ ...session, client: session.client ?? undefined })),
      seesAll,
      oldestTransaction,
      oldestPrepared,
      oldestVersions: await ask<PostgresState["oldestVersions"][number]>(versionsText),
      user,
      barred,
      behind: barred.length > 0 ? [] : await findBehind("posthorn", ask<{ name: string }>),
      unusedSlots: await ask<PostgresState["unusedSlots"][number]>(slotsText),
    };
  } finally {
    await client.end().catch(() => {});
  }
};
