import { laneShares } from "@posthorn/core/internal";
import type { Delivery } from "../../conversation/delivery.ts";

interface Placed {
  delivery: Pick<Delivery, "lane" | "workspaceId">;
}

/** Messages that wait for a turn. */
export interface Waiting<T extends Placed> {
  readonly size: number;
  /** The one that goes next, of those that may go. */
  first(): T | undefined;
  /** Takes that one out. */
  take(): T | undefined;
  add(one: T): void;
  /** How many would go before this one if it were added. */
  before(one: Pick<T, "delivery">): number;
  /** Puts these before all others. */
  addFirst(...ones: T[]): void;
  /** Takes those out that are meant. */
  remove(isMeant: (one: T) => boolean): T[];
}

interface Lane<T> {
  /** Its share of the turns, as in the queue. */
  share: number;
  /** How much of its share the lane has had. The one with the least is next. */
  served: number;
  /** The workspace whose turn is next comes first. Not a Map: one that changes with each keeps later ones from young collections. */
  workspaces: { id: number | undefined; ones: T[] }[];
}

/** One that waits, and where: which of the lane's workspaces, and which of its messages. */
interface Spot<T> {
  one: T;
  lane: Lane<T>;
  owner: number;
  at: number;
}

/**
 * Creates an empty line. A worker shares its slots by lanes and workspaces, but most of the messages in them wait here: in
 * the order of their arrival, an urgent one would wait behind all that another workspace has under way, nine for each
 * connection. Those that `mayGo` excludes for now keep their places.
 */
export function createWaiting<T extends Placed>(mayGo: (one: T) => boolean = () => true): Waiting<T> {
  const ahead: T[] = [];
  const lanes = ([0, 1, 2] as const).map(
    (lane): Lane<T> => ({ share: laneShares[lane], served: 0, workspaces: [] }),
  );
  let size = 0;

  function firstIn(lane: Lane<T>): Spot<T> | undefined {
    for (const [owner, { ones }] of lane.workspaces.entries())
      for (const [at, one] of ones.entries()) if (mayGo(one)) return { one, lane, owner, at };
    return undefined;
  }

  function next(): Spot<T> | undefined {
    let least: Spot<T> | undefined;
    for (const lane of lanes)
      if (least === undefined || lane.served < least.lane.served) least = firstIn(lane) ?? least;
    return least;
  }

  function takeNext(): T | undefined {
    const spot = next();
    if (spot === undefined) return undefined;
    const { one, lane, owner, at } = spot;
    // A lane in which none waits, or none that may go, does not accumulate turns.
    for (const other of lanes)
      if (other.workspaces.length === 0 || other.served < lane.served) other.served = lane.served;
    lane.served += 1 / lane.share;
    const [workspace] = lane.workspaces.splice(owner, 1);
    workspace?.ones.splice(at, 1);
    if (workspace !== undefined && workspace.ones.length > 0) lane.workspaces.push(workspace);
    return one;
  }

  function takeAhead(): T | undefined {
    const at = ahead.findIndex(mayGo);
    return at === -1 ? undefined : ahead.splice(at, 1)[0];
  }

  return {
    get size() {
      return size;
    },
    first: () => ahead.find(mayGo) ?? next()?.one,
    take() {
      const one = takeAhead() ?? takeNext();
      if (one !== undefined) size -= 1;
      return one;
    },
    add(one) {
      const { lane = 1, workspaceId } = one.delivery;
      const { workspaces } = lanes[lane] as Lane<T>;
      const workspace = workspaces.find(({ id }) => id === workspaceId);
      if (workspace === undefined) workspaces.push({ id: workspaceId, ones: [one] });
      else workspace.ones.push(one);
      size += 1;
    },
    before({ delivery: { lane: at = 1, workspaceId } }) {
      const { share, workspaces } = lanes[at] as Lane<T>;
      const own = workspaces.find(({ id }) => id === workspaceId)?.ones.length ?? 0;
      const within = sum(workspaces, ({ ones }) => Math.min(ones.length, own + 1));
      const beside = sum(lanes, (lane) => {
        const all = sum(lane.workspaces, ({ ones }) => ones.length);
        return lane === lanes[at] ? within : Math.min(all, Math.ceil(((within + 1) * lane.share) / share));
      });
      return ahead.length + beside;
    },
    addFirst(...ones) {
      ahead.unshift(...ones);
      size += ones.length;
    },
    remove(isMeant) {
      const removed = ahead.filter(isMeant);
      ahead.splice(0, ahead.length, ...ahead.filter((one) => !isMeant(one)));
      for (const lane of lanes)
        lane.workspaces = lane.workspaces.flatMap(({ id, ones }) => {
          removed.push(...ones.filter(isMeant));
          const left = ones.filter((one) => !isMeant(one));
          return left.length === 0 ? [] : [{ id, ones: left }];
        });
      size -= removed.length;
      return removed;
    },
  };
}

const sum = <E>(all: readonly E[], of: (one: E) => number): number =>
  all.reduce((total, one) => total + of(one), 0);
