import { StorageUnavailable, UniqueViolation } from "@posthorn/core/storage";
import type { Engine } from "./engine.ts";

/** PostgreSQL's code for a statement that waited too long for a lock. SQLite's locks are the whole database's. */
const lockTimeout = "55P03";

/**
 * Maps an engine's error to the one the port promises. Drivers call it for every error of a statement, begin or commit.
 */
export const portError = (engine: Engine, error: unknown): unknown => {
  if (error instanceof StorageUnavailable || error instanceof UniqueViolation) return error;
  const constraint = engine.isUniqueViolation(error);
  if (constraint !== undefined) return new UniqueViolation(constraint, { cause: error });
  if (engine.isUnavailable(error))
    return new StorageUnavailable(`the storage is unavailable: ${reasonOf(error)}`, {
      cause: error,
      isFinal: engine.isFinal?.(error) ?? false,
      isLocked: (error as { code?: unknown }).code === lockTimeout,
    });
  // Nothing is a fault of the call: an operator may restore or rename a table, or the address lead to another database.
  if (lacksTable(error))
    return new StorageUnavailable(
      `a table of Posthorn is missing: call migrate() before anything else (${reasonOf(error)})`,
      { cause: error },
    );
  return error;
};

/** Whether a statement named a table that does not exist (SQLite; PostgreSQL), or a schema (PostgreSQL). */
function lacksTable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === "42P01" || code === "3F000" || String(message).startsWith("no such table: ");
}

/** The words of a driver's error. A host with several addresses fails once for each, in an error without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return reasonOf(error.errors[0]);
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
