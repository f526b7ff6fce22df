import createFindMyWay from "find-my-way";
import type { Route } from "../../contract/route.ts";
import type { Method } from "../../contract/signature.ts";
import { type BoundRoute, bindRoute } from "./bind-route.ts";

export type RouteMatch =
  | { bound: BoundRoute; params: Record<string, string | undefined> }
  /** The path exists, but not with this method. */
  | { allow: string }
  | undefined;

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Creates a router that finds routes by method and path below `/api/v1`. It never throws, whatever the path. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
  const router = createFindMyWay({ caseSensitive: true, maxParamLength: 320 });
  // Most requests, sends above all, have a path without parameters.
  const fixed = new Map<string, Map<string, BoundRoute>>();
  const find = (method: Method, path: string) => {
    const match = router.find(method, path);
    if (match === null) return undefined;
    const bound = match.store as BoundRoute;
    return isSpelled(bound.route.path, path) ? { bound, params: match.params } : undefined;
  };
  for (const route of routes) {
    const bound = bindRoute(route);
    if (!route.path.includes("{")) {
      const others = fixed.get(route.path) ?? [];
      fixed.set(route.path, new Map([...others, [route.method, bound]]));
    }
    router.on(route.method, route.path.replace(/\{(\w+)\}/g, ":$1"), ignore, bound);
  }
  return (method, path) => {
    const wanted = method === "HEAD" ? "GET" : method;
    const own = fixed.get(path);
    if (own !== undefined) {
      const bound = own.get(wanted);
      // `GET /emails/send` asks for no e-mail with the id `send`.
      return bound === undefined ? { allow: allowed([...own.keys()]) } : { bound, params: {} };
    }
    // No path ends with a slash: what follows it would be an id without characters.
    if (path.includes("//") || path.includes(";") || path.endsWith("/")) return undefined;
    const match = isMethod(wanted) ? find(wanted, path) : undefined;
    if (match !== undefined) return match;
    const known = methods.filter((each) => find(each, path) !== undefined);
    return known.length === 0 ? undefined : { allow: allowed(known) };
  };
}

/**
 * Whether the fixed segments of a path are written without escapes: a proxy that protects `/admin` does not know
 * `/%61dmin`.
 */
function isSpelled(pattern: string, path: string): boolean {
  if (!path.includes("%")) return true;
  const given = path.split("/");
  return pattern.split("/").every((segment, at) => segment.startsWith("{") || segment === given[at]);
}

const isMethod = (method: string): method is Method => (methods as readonly string[]).includes(method);
const ignore = (): void => {};

function allowed(known: readonly string[]): string {
  return [...known, ...(known.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}
