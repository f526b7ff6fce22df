import type { Route } from "../contract/route.ts";

/** Whether a body of any type is taken as it comes. */
export const takesAnything = ({ raw }: Pick<Route, "raw">): boolean => raw?.type === "*";
