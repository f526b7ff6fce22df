import type { Otherwise, Route } from "../contract/route.ts";

/** Returns the route's second kind of response if it applies to the result. */
export function otherwiseOf({ otherwise }: Route, outcome: unknown): Otherwise<never> | undefined {
  if (otherwise === undefined) return undefined;
  return (otherwise.when as (outcome: unknown) => boolean)(outcome) ? otherwise : undefined;
}
