import { codeOf } from "@posthorn/storage-sql";
import { otherAnswer } from "./round-trips/joined-texts.ts";

/** Serialization failure, deadlock, lock not available: the server rolled back, and a retry may succeed. */
const conflicts = /^(40001|40P01|55P03)$/;

/** Whether a transaction failed by what others did meanwhile: only repeating all of it can succeed. */
export const mustRepeat = (error: unknown): boolean => /^(40001|40P01)$/.test(codeOf(error));

/** Lost connections, shutdowns, lack of space, time-outs, a read-only server: PostgreSQL's manual, appendix A. */
const unavailable = /^(08|53|58|57P|57014$|25P0[34]$|25006$)/;

/** The role may not use a table: what an operator took away, as little as a password a fault of the call. */
const lacksRight = "42501";

const network = /^E(CONN|PIPE|TIMEDOUT|NOTFOUND|HOST|NET|AI_AGAIN|ADDR|NOENT)/;

/** pg's messages without a code. */
const lost =
  /Connection terminated|connection error|Query read timeout|timeout exceeded when trying to connect|not queryable|after calling end/;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "");

/**
 * Whether a statement was prepared before its tables changed: this connection is unusable, others are not. The server's
 * words are in its own language, but not the name of the function that they come from, which a host's library may leave
 * out.
 */
const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === "0A000" &&
  ((error as { routine?: unknown }).routine === "RevalidateCachedQuery" ||
    messageOf(error).startsWith("cached plan"));

const violates = (error: unknown, code: string, constraint: string): boolean =>
  codeOf(error) === code &&
  error instanceof Error &&
  "constraint" in error &&
  error.constraint === constraint;

/**
 * Whether the transaction spent from a lease that another process recalled: the lease is forgotten, and the retry
 * charges the counters.
 */
const isRecalledLease = (error: unknown): boolean => violates(error, "23514", "usage_leased");

/**
 * Whether another transaction made a new plan the default that this one did not see, and so could not wait for when it
 * locked all plans: the retry sees it.
 */
const isUnseenDefault = (error: unknown): boolean => violates(error, "23505", "plans_default");

const isRolledBack = (error: unknown): boolean => conflicts.test(codeOf(error)) || isUnseenDefault(error);

/** Whether a retry of the same transaction may succeed; also for an error that wraps the server's. */
export const isConflict = (error: unknown): boolean =>
  isRolledBack(error) ||
  isStalePlan(error) ||
  isRecalledLease(error) ||
  (error instanceof Error && error.cause !== undefined && isConflict(error.cause));

/** Whether the lock time-out was reached; also for an error that wraps the server's. */
export const isLockTimeout = (error: unknown): boolean =>
  codeOf(error) === "55P03" || (error instanceof Error && codeOf(error.cause) === "55P03");

/** Whether no answer came in time; also for an error that wraps pg's. */
export const isReadTimeout = (error: unknown): boolean =>
  messageOf(error).includes("Query read timeout") ||
  (error instanceof Error && error.cause !== undefined && isReadTimeout(error.cause));

/** Whether the server can't work now: unreachable, restarting, full, closed to the role, locked by others for too long. */
export const isUnavailable = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code === "") return lost.test(messageOf(error));
  if (code === lacksRight || isStalePlan(error) || isRolledBack(error)) return true;
  return unavailable.test(code) || network.test(code);
};

/** Whether the connection that caused this error must not be reused. */
export const endsConnection = (error: unknown): boolean =>
  isStalePlan(error) ||
  (isUnavailable(error) && !isRolledBack(error) && !/^(42501|53100|57014)$/.test(codeOf(error)));

/** Whether a transaction was rolled back because an assumed answer is another one by now. */
export const isOtherAnswer = (error: unknown): boolean =>
  codeOf(error) === "22P02" && messageOf(error).includes(otherAnswer);

/** Whether a statement failed only because an earlier one in the transaction had failed. */
export const isAborted = (error: unknown): boolean => codeOf(error) === "25P02";

/** The name of the violated unique index. */
export const violatedIndexOf = (error: unknown): string | undefined => {
  if (codeOf(error) !== "23505" || isUnseenDefault(error)) return undefined;
  const { constraint } = error as { constraint?: unknown };
  return typeof constraint === "string" ? constraint : "unknown";
};

/** Whether a pooler rejected the startup parameters; also for an error that wraps its answer. */
export const refusesParameters = (error: unknown): boolean =>
  (codeOf(error) === "08P01" && messageOf(error).includes("startup parameter")) ||
  (error instanceof Error && error.cause !== undefined && refusesParameters(error.cause));

/** Whether a pooler lets nobody begin a transaction: PgBouncer's words in its statement mode. */
export const refusesTransactions = (error: unknown): boolean =>
  codeOf(error) === "08P01" && messageOf(error).includes("statement pooling mode");
