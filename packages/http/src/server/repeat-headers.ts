import type { Route } from "../contract/route.ts";

/** Returns the header field of an answer given before to the same `Idempotency-Key`; none for any other. */
export const repeatHeaders = (
  { idempotent }: Pick<Route, "idempotent">,
  outcome: unknown,
): Record<string, string> =>
  idempotent && Object(outcome).replayed === true ? { "idempotent-replayed": "true" } : {};
