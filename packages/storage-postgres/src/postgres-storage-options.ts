import {
  type Clock,
  checkOptions,
  clockCheck,
  flagCheck,
  hasMethods,
  isText,
  type Logger,
  loggerCheck,
  maxTimerMs,
  type Optional,
  type OptionChecks,
  textCheck,
} from "@posthorn/core/storage";
import type { Pool } from "pg";
import type { Timeouts } from "./connections/timeouts.ts";

/** Options of the PostgreSQL storage; exactly one of `connectionString` and `pool` is required. */
export interface PostgresStorageOptions {
  /**
   * `postgres://user:password@host:port/database`, for the storage's own pool; for TLS with `?sslmode=verify-full` and,
   * with a CA of one's own, `&sslrootcert=FILE`.
   */
  connectionString?: string | undefined;
  /** The host's pool instead, which is neither closed nor changed. */
  pool?: Pool | undefined;
  /**
   * Connection string for LISTEN, if `connectionString`, or `pool`, leads through a pooler in transaction mode; default:
   * `connectionString`, or a connection of the pool.
   */
  listenConnectionString?: string | undefined;
  /**
   * Whether `connectionString` leads through a pooler that assigns a server process per transaction (PgBouncer's
   * transaction mode): then no state is kept on connections, neither prepared statements nor time-outs. Default: true
   * if `listenConnectionString` is given, or if there is a pooler of whatever mode: one that rejects our startup
   * parameters, or reports process numbers of its own. A host's `pool` is always treated so.
   */
  transactionPooler?: boolean | undefined;
  /** The tables' schema, created by `migrate`; default `"posthorn"`. */
  schema?: string | undefined;
  /** The logger, of slow statements and lost connections among others. Default: a silent one. */
  logger?: Logger | undefined;
  /** The clock for the times of migrations. Default: the machine's. What is due is decided by the database's own. */
  clock?: Clock | undefined;
  /**
   * Maximum number of connections in the storage's own pool, besides the listening one; default 10, of which three are
   * for reads.
   */
  max?: number | undefined;
  /** In ms; see `Timeouts` for each of them. */
  timeouts?: Optional<Timeouts> | undefined;
}

/** What a connection string is, for messages. */
export const urlWords = "a URL of one host, such as postgres://user:password@host:5432/database";
/** Also of a URL without a host, which `URL` refuses. */
const parametersOf = (url: string): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
/** The parameter `host` may be the folder of a socket instead. */
const namesSeveralHosts = (url: string): boolean => {
  const [, hosts = ""] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url) ?? [];
  const host = parametersOf(url).get("host") ?? "";
  return hosts.includes(",") || (host.includes(",") && !host.startsWith("/"));
};
/**
 * `pg` reads any other text too, and connects to somewhere else; of several hosts it looks up one with all their names. A
 * path is one to a socket.
 */
const isUrl = (value: unknown) =>
  isText(value) && /^(postgres(ql)?:|socket:|\/)/i.test(String(value)) && !namesSeveralHosts(String(value));
const urlCheck = [urlWords, isUrl] as const;

/**
 * Parameters that libpq knows and `pg` ignores: the connection would go to another server, with another password or with
 * less protection than the URL asks for.
 */
const ignoredParameters = [
  "service",
  "hostaddr",
  "passfile",
  "sslpassword",
  "sslcrl",
  "sslcrldir",
  "require_auth",
  "requirepeer",
];

const assertHeeded = (option: string, url = ""): void => {
  const parameters = parametersOf(url);
  const ignored = ignoredParameters.find((name) => parameters.has(name));
  if (ignored !== undefined) throw new TypeError(`${option} has ${ignored}, which pg ignores: leave it out`);
};

const [poolWords, hasPoolMethods] = hasMethods("a pool of pg", "connect", "query", "on");
/** A single client has the methods, too. */
const isPool = (value: unknown) => hasPoolMethods(value) && "totalCount" in Object(value);

const checks: OptionChecks<PostgresStorageOptions> = {
  connectionString: urlCheck,
  pool: [poolWords, isPool],
  listenConnectionString: urlCheck,
  transactionPooler: flagCheck,
  schema: textCheck,
  logger: loggerCheck,
  clock: clockCheck,
  max: ["a whole number, 1 or more", (value) => Number.isInteger(value) && Number(value) >= 1],
  timeouts: true,
};

const timeCheck = (least: number, most: number) =>
  [
    `a number of milliseconds, ${most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`}`,
    (value: unknown) => typeof value === "number" && value >= least && value <= most,
  ] as const;
/** Zero is no limit, as pg and PostgreSQL understand it. */
// The longest of PostgreSQL, too.
const limit = timeCheck(0, maxTimerMs);
const timer = timeCheck(1, maxTimerMs);
const endless = timeCheck(0, Number.POSITIVE_INFINITY);

const timeoutChecks: OptionChecks<Timeouts> = {
  connect: timer,
  turn: endless,
  statement: limit,
  lock: limit,
  idleInTransaction: limit,
  query: limit,
  listenCheck: timer,
  slow: endless,
};

/** Whether a pool's options, or a client, ask for values in the binary format, whose bytes pg reads as UTF-8. */
export const isBinary = (seen: object | undefined): boolean =>
  (seen as { binary?: unknown } | undefined)?.binary === true;
export const binaryWords =
  "in pg's binary format, in which pg misreads numbers: leave its option `binary` out";

/** Throws a `TypeError` that names the option and the fault. */
export const checkPostgresOptions = (options: PostgresStorageOptions): void => {
  checkOptions("createPostgresStorage", options, checks);
  checkOptions<Optional<Timeouts>>("timeouts", options.timeouts ?? {}, timeoutChecks, "timeouts.");
  assertHeeded("connectionString", options.connectionString);
  assertHeeded("listenConnectionString", options.listenConnectionString);
  if (options.connectionString === undefined && options.pool === undefined)
    throw new TypeError("createPostgresStorage needs a connectionString or a pool");
  if (options.connectionString !== undefined && options.pool !== undefined)
    throw new TypeError(
      "createPostgresStorage takes a connectionString or a pool, not both; beside a pool, listenConnectionString is for LISTEN",
    );
  if (isBinary(options.pool?.options)) throw new TypeError(`pool is ${binaryWords}`);
};
