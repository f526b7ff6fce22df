import { permissions, useCases } from "@posthorn/core/internal";
import type { Route } from "../contract/route.ts";
import { operationWords } from "./operation-words.ts";

/** Public verb of each use case, such as `emails.sendTemplate`. */
const verbs = new Map<unknown, string>(
  Object.entries(useCases).flatMap(([aggregate, entries]) =>
    Object.entries(entries).map(([verb, useCase]): [unknown, string] => [useCase, `${aggregate}.${verb}`]),
  ),
);

/** The public verb that a route calls, such as `emails.sendTemplate`; `undefined` for a host's own route. */
const verbOf = ({ useCase }: Route): string | undefined => verbs.get(useCase);

/**
 * Creates a function that names operations by the verb that they call. A second route to the same verb says so if it is
 * the workspace's, any other also has its path, and a host's own route has only its path.
 */
export function createOperationNames(routes: readonly Route[]): (route: Route) => string {
  const names = new Map<Route, string>();
  const taken = new Set<string>();
  for (const route of routes) {
    const verb = verbOf(route);
    const inWorkspace = Object.hasOwn(permissions, route.access) ? [`${verb}InWorkspace`] : [];
    const free = verb === undefined ? undefined : [verb, ...inWorkspace].find((one) => !taken.has(one));
    const name = free ?? `${verb ?? route.method.toLowerCase()}${byPath(route)}`;
    taken.add(name);
    names.set(route, name);
  }
  return (route) => names.get(route) ?? byPath(route);
}

/** `/workspaces/current/templates/{id}` → `WorkspacesCurrentTemplatesById`. */
function byPath({ path }: Route): string {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .flatMap((segment) => segment.replace(/^\{(\w+)\}$/, "by_$1").split(/[-_]/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** Describes an operation by its verb's docstring; a host's own route has none. */
export function describeRoute(route: Route): { description?: string } {
  const description = operationWords[verbOf(route) ?? ""];
  return description === undefined ? {} : { description };
}
