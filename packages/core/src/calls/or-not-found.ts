import { ServiceError } from "../errors.ts";

/**
 * Returns what was found. Throws `not_found` if that is nothing; `what` says of what there is none: "such template",
 * "user 7". Without it the message is the code's own.
 */
export function orNotFound<T>(found: T | undefined, what?: string): T {
  if (found !== undefined) return found;
  throw new ServiceError("not_found", what === undefined ? {} : { message: `There is no ${what}.` });
}
