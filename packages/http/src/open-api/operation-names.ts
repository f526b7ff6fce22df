import { permissions, useCases, verbWords } from "@posthorn/core/internal";
import type { Route } from "../contract/route.ts";

/** The public verb of each use case, as `emails.sendTemplate`. */
const verbs = new Map<unknown, string>(
  Object.entries(useCases).flatMap(([aggregate, entries]) =>
    Object.entries(entries).map(([verb, useCase]): [unknown, string] => [useCase, `${aggregate}.${verb}`]),
  ),
);

/** The public verb that a route calls, as `emails.sendTemplate`; `undefined` for a route of a host's own. */
const verbOf = ({ useCase }: Route): string | undefined => verbs.get(useCase);

/**
 * Names operations by the verb that they call; a second route to the same verb, by which people come to a workspace, says so, any other
 * has its path as well, and one of a host's own its path alone.
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

/** References to where a rule is documented, meant for readers of the source. */
const citation = / \((?:service|decisions|platform|queue|reliability)(?:\.md)?[ ,][^)]*\)/g;

/** What only a host can ask for. */
const forHosts = / With the workspace `all`,[^.]*\./g;

/** What the operation does, in the words of the verb's docstring. */
export function describeRoute(route: Route): { description?: string } {
  const words = verbWords[verbOf(route) ?? ""]?.replaceAll(citation, "").replaceAll(forHosts, "");
  return words === undefined || words === "" ? {} : { description: words };
}
