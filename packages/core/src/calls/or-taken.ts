import { type ErrorCode, ServiceError, type ServiceErrorOptions } from "../errors.ts";
import { UniqueViolation } from "../ports/storage.ts";

/** Waits for a change. Throws an error with the code instead if what must be unique is there already. */
export async function orTaken<T>(
  change: Promise<T>,
  code: ErrorCode,
  options?: ServiceErrorOptions,
): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ServiceError(code, options);
    throw error;
  }
}
