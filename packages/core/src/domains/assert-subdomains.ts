import { fieldError } from "../errors.ts";
import type { Domain } from "../ports/storage.ts";
import { longestName, longestReturnPath } from "./rules/domain-name.ts";

type Subdomains = Pick<Domain, "returnPath" | "tracking">;

const longest = { returnPath: longestReturnPath, tracking: longestName } as const;

/**
 * Refuses a return path or a tracking host whose records could not be published, and a tracking host if the operator
 * has none. `given` are the fields that change.
 */
export function assertSubdomains(
  domain: Pick<Domain, "name"> & Subdomains,
  given: readonly (keyof Subdomains)[],
  trackingHost: string | undefined,
): void {
  for (const field of given) {
    const { length } = `${domain[field]}.${domain.name}`;
    if (domain[field] !== undefined && length > longest[field])
      throw fieldError(field, `makes a name of ${length} characters; ${longest[field]} is the maximum`);
  }
  const { name, returnPath, tracking } = domain;
  const field = given.includes("tracking") ? "tracking" : given[0];
  if (tracking === undefined || field === undefined) return;
  if (field === "tracking" && trackingHost === undefined)
    throw fieldError(
      field,
      "can't be set: the operator has no tracking host (SERVICE_TRACKING_HOST, or the option trackingHost)",
    );
  if (tracking === returnPath)
    throw fieldError(
      field,
      "must differ: the return path and the tracking host need different records at their names",
    );
  if (`${tracking}.${name}` === trackingHost)
    throw fieldError(field, "makes the name of the operator's own tracking host, which needs no record");
}
