import { ServiceError } from "../../errors.ts";

/**
 * Throws `plan_limit_reached` if `count` has reached the limit; 0 is unlimited, and nothing is counted (decisions §1,
 * §6). The count is exact only if the caller holds the lock of the row that is counted by.
 */
export async function assertWithinLimit(
  limit: string,
  value: number,
  count: () => Promise<number>,
): Promise<void> {
  if (value === 0) return;
  const used = await count();
  if (used < value) return;
  throw new ServiceError("plan_limit_reached", {
    message: `The limit ${limit} of ${value} is reached.`,
    details: { limit, value, used },
  });
}
