import { CliError } from "../../program/errors/cli-error.ts";
import { countOf } from "../../terminal/count-of.ts";

/** Throws if a stop had to abandon deliveries: to a supervisor, success would be that nothing is sent twice. */
export function assertNoneAbandoned(count: number): void {
  if (count === 0) return;
  throw new CliError(
    "failed",
    `Stopped before the results of ${countOf(count, "delivery", "deliveries")} were stored: each is tried again when its lease expires, and may arrive twice.`,
    "The log says whether the database did not take the results; if not, the other server took too long to answer.",
  );
}
