import { tenantOfRoute, workspaceOfRoute } from "../../mail/rules/routes.ts";
import { type DuePart, type Lane, lanes, type Want } from "../../ports/storage.ts";
import type { InHand } from "../loop/work.ts";

/**
 * Shares of the lanes in a claim, of the slots and of the turns at a mail server: a half, a third, a sixth. The share of a
 * lane that needs none goes to the others.
 */
export const laneShares: Record<Lane, number> = { 0: 3, 1: 2, 2: 1 };
/** Maximum number of routes per lane that a claim takes from first. */
const routesAtOnce = 16;
/** How many times the usual maximum may wait in the line while none may begin. */
const blockedTimes = 4;

/** The last route of each lane that was taken from. The next claim continues after it. */
export type LastRoutes = Partial<Record<Lane, string>>;

/**
 * Plans what to claim of the due e-mails, `limit` in all: by lanes, in each from up to 16 routes, or as many as given, in
 * turn in equal parts, and from no workspace more than half while another has something due, with what was claimed
 * `before`. From a route on trial after a hold, a single e-mail is taken. Updates `lastRoutes`.
 */
export function planClaim(
  due: readonly DuePart[],
  limit: number,
  lastRoutes: LastRoutes,
  {
    routes = routesAtOnce,
    before = [],
  }: { routes?: number; before?: readonly Pick<DuePart, "route">[] } = {},
): Want[] {
  const had = before.map(({ route }) => workspaceOfRoute(route));
  const owners = new Set([...had, ...due.map(({ route }) => workspaceOfRoute(route))]);
  const total = limit + had.length;
  const most = owners.size > 1 ? Math.max(1, Math.floor(total / 2)) : total;
  const left = new Map<number | undefined, number>();
  for (const owner of owners) left.set(owner, most);
  for (const owner of had) left.set(owner, (left.get(owner) ?? 0) - 1);
  const present = lanes.filter((lane) => due.some((part) => part.lane === lane));
  const sum = present.reduce<number>((shares, lane) => shares + laneShares[lane], 0);
  return present.flatMap((lane): Want[] => {
    const chosen = inTurn(
      due.filter((part) => part.lane === lane),
      lastRoutes[lane],
      routes,
    );
    const share = Math.max(1, Math.floor((limit * laneShares[lane]) / sum));
    const wants = divide(chosen, share, left);
    const last = wants.at(-1);
    if (last !== undefined) lastRoutes[lane] = last.route;
    return wants;
  });
}

/**
 * Returns the parts of `due` that must not wait behind claimed e-mails which already fill all `slots`: urgent ones, and
 * those of workspaces that have none among the claimed, or few while the others may not begin, where mail to a
 * workspace's own servers and its other mail are two. Returns all parts while slots are free. Past `most` claimed
 * e-mails, only urgent ones, unless none of the claimed may begin. Past four times `most`, only what no workspace's own
 * server may carry: otherwise one process would claim the mail of ever more workspaces whose servers stall.
 */
export function whatCannotWait(
  due: DuePart[],
  { waiting, ready }: Pick<InHand<Pick<DuePart, "route" | "lane">>, "waiting" | "ready">,
  { slots, most }: { slots: number; most: number },
): DuePart[] {
  if (waiting.length < slots) return due;
  const urgent = waiting.filter(({ lane }) => lane === 0).length;
  const startable = new Set(ready);
  const behind = ready.length < slots ? waiting.filter((one) => !startable.has(one)) : waiting;
  const users = new Set(behind.map(({ route }) => userOf(route)));
  // Those that may not begin could otherwise fill the line for as long as their server hangs.
  const hasRoom = (route: string): boolean =>
    waiting.length < most ||
    (ready.length === 0 && (waiting.length < blockedTimes * most || tenantOfRoute(route) === undefined));
  return due.filter(
    ({ route, lane }) => (lane === 0 && urgent < slots) || (!users.has(userOf(route)) && hasRoom(route)),
  );
}

/** The workspace, apart for its own servers: while these stall, its mail on the operator's goes on. */
const userOf = (route: string): string =>
  `${tenantOfRoute(route) === undefined ? "" : "own "}${workspaceOfRoute(route)}`;

/** Returns up to `most` parts, beginning after the route `last` and wrapping around. */
function inTurn(parts: DuePart[], last: string | undefined, most: number): DuePart[] {
  const sorted = parts.toSorted((a, b) => (a.route < b.route ? -1 : 1));
  const from = last === undefined ? 0 : sorted.findIndex(({ route }) => route > last);
  const start = from < 0 ? 0 : from;
  return [...sorted.slice(start), ...sorted.slice(0, start)].slice(0, most);
}

function divide(parts: DuePart[], share: number, left: Map<number | undefined, number>): Want[] {
  const each = Math.max(1, Math.ceil(share / parts.length));
  let open = share;
  return parts.flatMap(({ route, lane, dueAt, isTrial }) => {
    const owner = workspaceOfRoute(route);
    const limit = Math.min(isTrial ? 1 : each, open, left.get(owner) ?? 0);
    if (limit <= 0) return [];
    open -= limit;
    left.set(owner, (left.get(owner) ?? 0) - limit);
    return { route, lane, since: dueAt, limit };
  });
}
