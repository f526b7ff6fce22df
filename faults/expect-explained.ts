import { expect } from "vitest";
import type { FaultWorld } from "./open-fault-world.ts";

/**
 * Matches each mail that arrived more than once to attempts that were interrupted or in doubt, one for each further
 * copy; returns the number of repeated mails.
 */
export async function expectExplained({
  copies,
  storage,
}: Pick<FaultWorld, "copies" | "storage">): Promise<number> {
  const unexplained: string[] = [];
  let again = 0;
  for (const [id, count] of copies) {
    if (count === 1) continue;
    const attempts = await storage.emails.attempts(id);
    const explaining = attempts.filter(({ outcome, inDoubt }) => outcome === "interrupted" || inDoubt);
    if (explaining.length < count - 1) unexplained.push(id);
    again += count - 1;
  }
  expect(unexplained).toEqual([]);
  return again;
}
