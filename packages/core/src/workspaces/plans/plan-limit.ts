import { ServiceError } from "../../errors.ts";

/**
 * Throws `plan_limit_reached` if `used` has reached the limit; 0 is unlimited (decisions §1, §6). The count is exact
 * only if the caller holds the lock of the row that is counted by.
 */
export function assertWithinLimit(limit: string, value: number, used: number): void {
  if (value === 0 || used < value) return;
  throw new ServiceError("plan_limit_reached", {
    message: `The limit ${limit} of ${value} is reached.`,
    details: { limit, value, used },
  });
}
