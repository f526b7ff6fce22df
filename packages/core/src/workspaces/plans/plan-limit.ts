import { ServiceError } from "../../errors.ts";

/** Refuses one more where a count limit is reached; 0 is unlimited (decisions §1, §6). Exact only under a lock on what is counted by. */
export function assertWithinLimit(limit: string, value: number, used: number): void {
  if (value === 0 || used < value) return;
  throw new ServiceError("plan_limit_reached", {
    message: `The limit ${limit} of ${value} is reached.`,
    details: { limit, value, used },
  });
}
