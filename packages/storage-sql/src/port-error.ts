import { StorageUnavailable, UniqueViolation } from "@posthorn/core/storage";
import type { Engine } from "./engine.ts";

/** What the port promises to throw for an engine's error. Drivers call it on every error of a statement, a begin or a commit. */
export const portError = (engine: Engine, error: unknown): unknown => {
  if (error instanceof StorageUnavailable || error instanceof UniqueViolation) return error;
  const constraint = engine.isUniqueViolation(error);
  if (constraint !== undefined) return new UniqueViolation(constraint, { cause: error });
  if (engine.isUnavailable(error))
    return new StorageUnavailable("the storage is unavailable", { cause: error });
  return error;
};
