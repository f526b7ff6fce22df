import type { Route } from "../contract/route.ts";

/** Whether a body of any type is accepted. */
export const takesAnything = ({ raw }: Pick<Route, "raw">): boolean => raw?.type === "*";
