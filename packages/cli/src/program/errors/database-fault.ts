import { closeSync, openSync } from "node:fs";
import { CliError } from "./cli-error.ts";
import type { Failure } from "./exit-codes.ts";
import { noDescriptor } from "./file-fault.ts";

interface Cause {
  failure?: Failure;
  words: string;
  hint?: string;
  /** Whether it is the content of a SQLite file that is at fault. */
  isDamage?: boolean;
}

const start = "Start the database, or correct the host and the port in SERVICE_DATABASE_URL.";
const login = "Correct the user and the password in SERVICE_DATABASE_URL.";
const locked =
  "Find who holds it, such as a shell left open, a copy that runs, or a backup that copies the file.";
const unreachable: Cause = { words: "it can't be reached", hint: start };
const refusedLogin: Cause = { words: "it refuses the user or the password", hint: login };
const full: Cause = { words: "its disk is full", hint: "Free some space there." };
const noSuchHost: Cause = { words: "its host is unknown", hint: start };
const untrusted: Cause = {
  words: "its TLS certificate is not of an authority that is trusted here",
  hint: "Name the authority's file in SERVICE_DATABASE_URL: ?sslmode=verify-full&sslrootcert=FILE",
};
const readOnly: Cause = {
  words: "it takes no writes, as a standby, or by default_transaction_read_only",
  hint: "Name the primary in SERVICE_DATABASE_URL, or let the user write: alter role NAME reset default_transaction_read_only",
};
const mayNot: Cause = {
  failure: "not_allowed",
  words: "this user may not use it",
  hint: "Run the command as the user that the service runs as, or give this user the right.",
};

/** Causes by the error codes of Node, PostgreSQL (its manual, appendix A) and SQLite. */
const causes: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: { words: "nothing listens at its address", hint: start },
  ENOTFOUND: noSuchHost,
  EAI_AGAIN: noSuchHost,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: {
    words: "its TLS certificate has expired",
    hint: "Renew it there, or correct this machine's clock.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: "its TLS certificate is for another host",
    hint: "Name the host in SERVICE_DATABASE_URL as its certificate does.",
  },
  ECONNRESET: { words: "it cut the connection", hint: "Try again, and see the database's log." },
  "25006": readOnly,
  "28P01": refusedLogin,
  "28000": {
    words: "it lets no such user in from here, or only with TLS",
    hint: "Correct the user in SERVICE_DATABASE_URL, add ?sslmode=verify-full to it, with &sslcert=FILE&sslkey=FILE for a client's certificate, or see the server's pg_hba.conf.",
  },
  "3D000": {
    failure: "not_found",
    words: "the server has no database of that name",
    hint: "Create it, such as with createdb, or correct the name in SERVICE_DATABASE_URL.",
  },
  "55000": {
    words: "it is closed to connections",
    hint: "Open it: alter database NAME with allow_connections true",
  },
  "53300": {
    words: "it takes no more connections",
    hint: "End some, or raise the server's max_connections.",
  },
  "53100": full,
  "55P03": {
    words: "another session holds a lock for too long",
    hint: "See pg_stat_activity for who holds it.",
  },
  "57P03": { words: "it is starting up or shutting down", hint: "Try again in a moment." },
  EMFILE: noDescriptor,
  ENFILE: noDescriptor,
  EACCES: mayNot,
  EPERM: mayNot,
  ENOTDIR: {
    failure: "not_found",
    words: "its folder is a file",
    hint: "Move that file away, or name another place in SERVICE_DATABASE_URL.",
  },
  EROFS: {
    failure: "not_allowed",
    words: "its file system is read-only",
    hint: "Make it writable, or name a file on another in SERVICE_DATABASE_URL.",
  },
  SQLITE_READONLY: {
    ...mayNot,
    words: "this user may not write it, or its file system is read-only",
  },
  SQLITE_BUSY: { words: "another process holds its lock", hint: locked },
  SQLITE_LOCKED: { words: "another process holds its lock", hint: locked },
  SQLITE_FULL: full,
  // SQLite could not give its -shm file its size.
  SQLITE_IOERR_SHMSIZE: full,
  SQLITE_NOTADB: {
    words: "it is not a valid SQLite file",
    hint: "Restore a backup, or name another file in SERVICE_DATABASE_URL.",
    isDamage: true,
  },
  SQLITE_CORRUPT: { words: "it is damaged", hint: "Restore a backup.", isDamage: true },
  SQLITE_IOERR: { words: "its disk reports a fault", hint: "See the system's log." },
};

/** Causes by message, for errors without a code. */
const phrases: readonly [RegExp, Cause][] = [
  [/another process holds/, { words: "another process holds its lock", hint: locked }],
  [
    /has no tables of Posthorn/,
    {
      failure: "conflict",
      words: "it has no tables of Posthorn",
      hint: "Name the service's database in SERVICE_DATABASE_URL.",
    },
  ],
  [/takes no writes/, readOnly],
  [/timeout|timed out/i, unreachable],
  [
    /does not support SSL/,
    {
      words: "it offers no TLS",
      hint: "Switch it on at the server, or leave sslmode out of SERVICE_DATABASE_URL.",
    },
  ],
  [
    /connect ENOENT/,
    {
      words: "nothing listens at its socket",
      hint: "Start the database, or correct the socket's folder and the port in SERVICE_DATABASE_URL.",
    },
  ],
  [
    /ENOENT: .*open/,
    {
      words: "a certificate's file is missing",
      hint: "Correct sslrootcert, sslcert or sslkey in SERVICE_DATABASE_URL.",
    },
  ],
  [
    // OpenSSL's, of a file: those of a handshake are "SSL routines".
    /\b(?:DECODER|Provider|PEM|X509|ASN1|asn1 encoding|x509 certificate) routines::/,
    {
      words: "the client's certificate or key can't be read",
      hint: "Correct sslcert or sslkey in SERVICE_DATABASE_URL: they name PEM files, and the key has no pass phrase.",
    },
  ],
  [
    /Connection terminated unexpectedly/,
    {
      words: "it cut the connection",
      hint: "See its log, or that of a pooler in front, such as PgBouncer, whose pool_mode can't be statement.",
    },
  ],
  [
    /statement pooling mode/,
    {
      words: "a pooler in front of it is in statement mode, which allows no transactions",
      hint: "Set the pooler's pool_mode to transaction or session, or name the server itself in SERVICE_DATABASE_URL.",
    },
  ],
  [/password must be a string|no password/i, { words: "it requires a password", hint: login }],
  [
    /directory does not exist/,
    {
      failure: "not_found",
      words: "its folder does not exist",
      hint: "Create the folder, or correct SERVICE_DATABASE_URL.",
    },
  ],
];

/** Converts an error of the database to one for people: which database, what is wrong with it, and what to do. */
export function databaseFault(error: unknown, place = "The database"): CliError {
  const told = chainOf(error)[0]?.message.replace(/\.$/, "") ?? String(error);
  const { failure, words, hint } = findCause(error) ?? {
    words: told,
    hint: "Try again, and see the database's log.",
  };
  const what = failure === "conflict" ? "can't be used" : "is unavailable";
  return new CliError(failure ?? "unavailable", `${place} ${what}: ${words}.`, hint, { cause: error });
}

/** Returns the known cause of an error of the database. */
export function findCause(error: unknown): Cause | undefined {
  const chain = chainOf(error);
  const unloaded = chain.find(isUnloaded);
  if (unloaded !== undefined) return noDriver(unloaded.message);
  // In the storage's own words, which say what to change.
  const unsuited = chain.find(({ name }) => name === "StorageUnsuited");
  if (unsuited !== undefined) return { failure: "conflict", words: unsuited.message };
  const coded = chain.map(({ code = "", message }) => {
    if (code.startsWith("SQLITE_CANTOPEN")) return whyNotOpened();
    // PostgreSQL names what it refuses (insufficient_privilege).
    if (code === "42501") return { ...mayNot, words: `${mayNot.words}: ${message}` };
    const cause = causes[code] ?? causes[code.replace(/^(SQLITE_[A-Z]+)_.*/, "$1")];
    // Nor does its code tell what it misses: an entry for the host, TLS, a client's certificate, or the user.
    return cause !== undefined && code === "28000"
      ? { ...cause, words: `${cause.words}: ${message}` }
      : cause;
  });
  const spoken = chain.flatMap(({ message }) =>
    phrases.filter(([pattern]) => pattern.test(message)).map(([, cause]) => cause),
  );
  return coded.find((cause) => cause !== undefined) ?? spoken[0];
}

/** Whether native code is for another system, which only SQLite's driver has, or is missing. */
const isUnloaded = ({ code, message }: Link): boolean =>
  code === "ERR_DLOPEN_FAILED" || (code === "MODULE_NOT_FOUND" && /better[-_]sqlite3/.test(message));

/** The driver brings builds for the usual systems. */
const noDriver = (message: string): Cause => ({
  failure: "failed",
  words: `SQLite's driver, better-sqlite3, can't be loaded: ${message.replace(/\n.*/s, "")}`,
  hint: "Where there is no build of it for this system, compile one, with a C++ compiler and Python: npm explore better-sqlite3 -- npm run build-release. Or use PostgreSQL.",
});

/** SQLite does not say why it can't open a file. */
function whyNotOpened(): Cause {
  try {
    closeSync(openSync(process.execPath, "r"));
    return mayNot;
  } catch (error) {
    return causes[(error as NodeJS.ErrnoException).code ?? ""] ?? mayNot;
  }
}

interface Link {
  name: string;
  code?: string;
  message: string;
}

/** Returns the error, its causes, and their parts: a host with several addresses fails once for each. */
function chainOf(error: unknown, depth = 5): Link[] {
  if (!(error instanceof Error) || depth === 0) return [];
  const { code } = error as NodeJS.ErrnoException;
  const parts = error instanceof AggregateError ? error.errors.slice(0, 1) : [];
  return [
    { name: error.name, message: error.message, ...(typeof code === "string" ? { code } : {}) },
    ...[...parts, error.cause].flatMap((one) => chainOf(one, depth - 1)),
  ];
}
