import type { Otherwise, Route } from "../contract/route.ts";

/** The other answer of a route that an outcome is given, where it is given one. */
export function otherwiseOf({ otherwise }: Route, outcome: unknown): Otherwise<never> | undefined {
  if (otherwise === undefined) return undefined;
  return (otherwise.when as (outcome: unknown) => boolean)(outcome) ? otherwise : undefined;
}
