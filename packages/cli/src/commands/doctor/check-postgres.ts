import type { PostgresState } from "@posthorn/storage-postgres/internal";
import type { SettingValues } from "../../program/settings/settings.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

/** Ms for which a transaction may stay open. */
const transactionMs = 300_000;
/** Maximum age of retained row versions in transactions: a tenth of where PostgreSQL forces a vacuum. */
const versionsAge = 20_000_000;

type Urls = Pick<SettingValues, "database_url" | "database_listen_url">;
type Examine = (connectionString: string) => Promise<PostgresState>;

/** Looks for what gradually slows a PostgreSQL server down, and for a pooler in between. */
export async function checkPostgres(
  { database_url, database_listen_url }: Urls,
  examine?: Examine,
): Promise<Finding[]> {
  const look = examine ?? (await import("@posthorn/storage-postgres/internal")).examinePostgres;
  let state: PostgresState;
  try {
    state = await look(database_url);
  } catch (error) {
    const { message } = error as Error;
    return [warning("server", `it can't be examined: ${message}`, "See the server's log.")];
  }
  return [
    checkRights(state),
    checkSequences(state),
    await checkWay(state, database_listen_url, look),
    checkTransactions(state),
    checkVersions(state),
    checkSlots(state),
  ];
}

/** Most tables or sequences that are named. */
const mostNamed = 3;

const firstOf = (names: string[]): string =>
  names.slice(0, mostNamed).join(", ") +
  (names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "");

/** A user who may not write the tables can't accept or deliver anything; one may lack those that an update added. */
function checkRights({ user, barred }: PostgresState): Finding {
  const name = "rights";
  if (barred.length === 0) return ok(name, `the user ${user} may read and write every table`);
  return broken(
    name,
    `the user ${user} may not read and write ${firstOf(barred)}`,
    `As their owner: grant usage on schema posthorn to ${user}; grant all on all tables in schema posthorn to ${user}; grant all on all sequences in schema posthorn to ${user}`,
  );
}

/** With one that was left behind, each send is refused: its id is taken. */
function checkSequences({ behind }: PostgresState): Finding {
  const name = "sequences";
  if (behind.length === 0) return ok(name, "none stands below the ids of its table");
  return broken(
    name,
    `${firstOf(behind)} stand${behind.length === 1 ? "s" : ""} below ids that the table has, as after logical replication: what is sent is refused`,
    "Move all of them, and hold what was due in the former database: posthorn restore-check",
  );
}

async function checkWay(
  { identity, isPooled }: PostgresState,
  listenUrl: string | undefined,
  look: Examine,
): Promise<Finding> {
  const name = "connections";
  if (listenUrl === undefined)
    return isPooled
      ? warning(
          name,
          "through a pooler: in transaction mode new work is found only by polling",
          "Set SERVICE_DATABASE_LISTEN_URL to the server's own address. In session mode nothing needs to change.",
        )
      : ok(name, "directly to the server");
  try {
    const listening = await look(listenUrl);
    if (listening.identity !== identity)
      return warning(
        name,
        "SERVICE_DATABASE_LISTEN_URL leads to another database: new work is found only by polling",
        "Set it to the address, past the pooler, of the database that SERVICE_DATABASE_URL names.",
      );
    if (!listening.isPooled) return ok(name, "LISTEN connects directly to the server");
  } catch (error) {
    const { message } = error as Error;
    return warning(
      name,
      `SERVICE_DATABASE_LISTEN_URL can't be reached (${message}): new work is found only by polling`,
      "Correct it: it must be the server's own address, past the pooler.",
    );
  }
  return warning(
    name,
    "SERVICE_DATABASE_LISTEN_URL leads through a pooler: in transaction mode no notifications arrive there",
    "Set it to the server's own address.",
  );
}

function checkTransactions({
  oldestTransaction: oldest,
  oldestPrepared,
  seesAll,
  user,
}: PostgresState): Finding {
  const name = "transactions";
  if (oldestPrepared !== undefined && oldestPrepared.ageMs >= transactionMs)
    return warning(
      name,
      `${oldestPrepared.name} was prepared ${Math.floor(oldestPrepared.ageMs / 60_000)} min ago, and stays open whatever restarts: deleted rows stay on disk, and who needs its locks waits`,
      `Let what prepared it end it, or: rollback prepared '${oldestPrepared.name.replaceAll("'", "''")}'`,
    );
  if (oldest === undefined || oldest.ageMs < transactionMs)
    return ok(
      name,
      seesAll
        ? "none has been open for long"
        : `none of the user ${user} has been open for long; to see those of others: grant pg_read_all_stats to ${user}`,
    );
  const { pid, application, isIdle, ageMs } = oldest;
  return warning(
    name,
    `PostgreSQL's process ${pid}${application === "" ? "" : ` (${application})`}, open for ${Math.floor(ageMs / 60_000)} min${isIdle ? " and idle" : ""}: deleted rows stay on disk, and all later events wait if it wrote one`,
    `Commit it or roll it back where it was begun, or: select pg_terminate_backend(${pid})`,
  );
}

function checkVersions({ oldestVersions }: PostgresState): Finding {
  const name = "old rows";
  const oldest = oldestVersions.find(({ transactions }) => transactions >= versionsAge);
  if (oldest === undefined) return ok(name, "nothing prevents their removal");
  const { holder, transactions, ofCatalogs } = oldest;
  const since = `in the last ${transactions.toLocaleString("en")} transactions`;
  return warning(
    name,
    ofCatalogs
      ? `${holder} prevents the removal of rows that the system's catalogs deleted ${since}: they grow with each table that is made or changed`
      : `${holder} prevents the removal of rows deleted ${since}: tables grow, and the queue gets slower`,
    "End it: pg_terminate_backend, pg_drop_replication_slot, or rollback prepared.",
  );
}

function checkSlots({ unusedSlots }: PostgresState): Finding {
  const name = "replication slots";
  const keeping = unusedSlots.filter(({ isLost }) => !isLost);
  const [most] = keeping.toSorted((one, other) => other.keptBytes - one.keptBytes);
  if (most !== undefined)
    return warning(
      name,
      `nobody reads ${namesOf(keeping)}: ${most.name} retains ${Math.round(most.keptBytes / mebibyte).toLocaleString("en")} MiB of WAL, until the disk is full`,
      `Start its reader again, or: select pg_drop_replication_slot('${most.name}')`,
    );
  const [lost] = unusedSlots;
  if (lost === undefined) return ok(name, "none retains WAL that nobody reads");
  return warning(
    name,
    `${namesOf(unusedSlots)}: invalidated by the server, no longer readable; its standby or subscriber gets nothing`,
    `Make the reader's copy anew, with a new slot: select pg_drop_replication_slot('${lost.name}')`,
  );
}

const namesOf = (slots: PostgresState["unusedSlots"]): string => slots.map((slot) => slot.name).join(", ");

const mebibyte = 1024 * 1024;
