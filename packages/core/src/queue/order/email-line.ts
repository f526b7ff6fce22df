import { isServersRoute, tenantOfRoute, workspaceOfRoute } from "../../mail/rules/routes.ts";
import type { ClaimedEmail, Lane } from "../../ports/storage.ts";
import type { Line } from "../loop/work.ts";
import { laneShares } from "./plan-claim.ts";
import { createTenantWindows } from "./tenant-windows.ts";

type Waiting = Pick<ClaimedEmail, "route" | "lane">;

/** Workspaces with due e-mails, and whether some of these can go through the operator's server alone. */
export type DueOwners = ReadonlyMap<number | undefined, boolean>;

/** The line of e-mails. */
export interface EmailLine<T> extends Line<T> {
  /** Reports that an item in progress waited for others until now: that was no stall of its server. */
  restart(item: T): void;
}

interface Route<T> {
  owner: number | undefined;
  items: T[];
  /** The turn at which the route was last served, or was added. */
  servedAt: number;
}

interface LaneLine<T> {
  lane: Lane;
  routes: Map<string, Route<T>>;
  /** How much of its share the lane has had. The lane with the least is next. */
  served: number;
}

const isLessFar = (a: LaneLine<unknown>, b: LaneLine<unknown>): number =>
  a.served - b.served || a.lane - b.lane;

/**
 * Creates the line of e-mails that wait for one of `slots`. The lanes share the slots three to two to one, and a lane
 * that was empty goes first. Within a lane it is the turn of the workspace with the fewest e-mails in progress, and
 * there of the route that waits longest. No workspace has more than half of the slots while another waits that may
 * begin, be it in the queue: `due` returns the workspaces that had due e-mails there at the last look. Mail to a
 * workspace's own servers never has more, and `createTenantWindows` limits it further, as such a server may stall at any
 * time.
 */
export function createEmailLine<T extends Waiting>(
  slots: number,
  due: () => DueOwners = () => new Map(),
  monotonic: () => number = () => 0,
): EmailLine<T> {
  const windows = createTenantWindows<T>(slots, monotonic);
  const half = Math.ceil(slots / 2);
  const lanes = ([0, 1, 2] as const).map((lane): LaneLine<T> => ({ lane, routes: new Map(), served: 0 }));
  /** The lanes in the order of their turns, the next one first. */
  const order = [...lanes];
  const active = new Map<number | undefined, number>();
  const waiting = new Map<number | undefined, number>();
  /** Of these, the ones that a workspace's own servers may carry. */
  const waitingOfTenants = new Map<number | undefined, number>();
  let size = 0;
  let turn = 0;

  function addOne(item: T): void {
    const line = lanes[item.lane];
    if (line === undefined) throw new TypeError(`there is no lane ${item.lane}`);
    const owner = workspaceOfRoute(item.route);
    const route = line.routes.get(item.route);
    if (route === undefined) line.routes.set(item.route, { owner, items: [item], servedAt: turn });
    else route.items.push(item);
    countWaiting(item.route, owner, 1);
  }

  function countWaiting(route: string, owner: number | undefined, by: 1 | -1): void {
    const tenant = tenantOfRoute(route);
    count(waiting, owner, by);
    if (tenant !== undefined) count(waitingOfTenants, tenant, by);
    size += by;
  }

  const mayHaveMore = (name: string, owner: number | undefined): boolean => {
    const tenant = tenantOfRoute(name);
    if (tenant !== undefined && windows.isFull(tenant)) return false;
    const count = active.get(owner) ?? 0;
    return count < half || (count < slots && !isServersRoute(name) && !othersWait(owner));
  };

  const mayBegin = (owner: number | undefined, isOperators: boolean): boolean =>
    isOperators || owner === undefined || !windows.isFull(owner);
  /** Whether another workspace waits for a slot, and not only for its own servers. */
  function othersWait(owner: number | undefined): boolean {
    for (const [other, number] of waiting)
      if (other !== owner && mayBegin(other, number > (waitingOfTenants.get(other) ?? 0))) return true;
    for (const [other, isOperators] of due())
      if (other !== owner && mayBegin(other, isOperators)) return true;
    return false;
  }

  const isBlocked = (owner: number | undefined): boolean =>
    (active.get(owner) ?? 0) >= half && othersWait(owner);

  function nextRoute({ routes }: LaneLine<T>): [string, Route<T>] | undefined {
    let best: [string, Route<T>] | undefined;
    for (const one of routes)
      if (mayHaveMore(one[0], one[1].owner) && (!best || comesBefore(one[1], best[1]))) best = one;
    return best;
  }

  const comesBefore = (a: Route<T>, b: Route<T>): boolean => {
    const underWay = (active.get(a.owner) ?? 0) - (active.get(b.owner) ?? 0);
    return underWay === 0 ? a.servedAt < b.servedAt : underWay < 0;
  };

  function takeFrom(line: LaneLine<T>, [name, route]: [string, Route<T>]): T | undefined {
    const item = route.items.shift();
    line.served += 1 / laneShares[line.lane];
    turn += 1;
    route.servedAt = turn;
    if (route.items.length === 0) line.routes.delete(name);
    countWaiting(name, route.owner, -1);
    count(active, route.owner, 1);
    if (item !== undefined) windows.begin(item);
    return item;
  }

  const all = (): T[] => lanes.flatMap(({ routes }) => [...routes.values()].flatMap(({ items }) => items));

  return {
    get size() {
      return size;
    },
    get ready() {
      let blocked = 0;
      for (const [owner, number] of waiting) if (isBlocked(owner)) blocked += number;
      for (const [tenant, number] of waitingOfTenants)
        if (!mayBegin(tenant, false) && !isBlocked(tenant)) blocked += number;
      return size - blocked;
    },
    isBlocked({ route }) {
      const tenant = tenantOfRoute(route);
      return isBlocked(workspaceOfRoute(route)) || (tenant !== undefined && windows.isFull(tenant));
    },
    add(items) {
      for (const item of items) addOne(item);
    },
    next() {
      order.sort(isLessFar);
      for (const line of order) {
        const route = nextRoute(line);
        if (route === undefined) continue;
        // A lane of which nothing may begin does not accumulate turns.
        for (const idle of order) {
          if (idle === line) break;
          idle.served = line.served;
        }
        return takeFrom(line, route);
      }
      return undefined;
    },
    leave(item) {
      count(active, workspaceOfRoute(item.route), -1);
      windows.end(item);
    },
    restart: windows.restart,
    all,
    clear() {
      const items = all();
      for (const { routes } of lanes) routes.clear();
      waiting.clear();
      waitingOfTenants.clear();
      size = 0;
      return items;
    },
  };
}

function count<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum > 0) counts.set(key, sum);
  else counts.delete(key);
}
