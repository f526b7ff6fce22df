import { tenantOfRoute, tenantsPart, workspaceOfRoute } from "../../rules/routes.ts";

/** Limits the total bytes in use at the same time. */
export interface ByteRoom {
  /** Takes the bytes for an e-mail of the route, or returns a promise until they fit. */
  enter(bytes: number, route: string): Promise<void> | undefined;
  leave(bytes: number, route: string): void;
}

/** A workspace, or the service itself. */
interface User {
  taken: number;
  waiting: Waiting[];
}

interface Waiting {
  bytes: number;
  /** Number of the arrival. */
  arrival: number;
  go: () => void;
}

/** The users of the operator's server, or those of workspaces' own. */
interface Side {
  taken: number;
  /** Maximum bytes of all together, and of one user with more than one e-mail. */
  most: number;
  share: number;
  users: Map<number | undefined, User>;
}

/** Fraction (1 / `smallPart`) of the room up to which bytes are not counted. The number of users is limited elsewhere. */
const smallPart = 1024;
/** Part of the room that one workspace may use with more than one e-mail, on the operator's server and on its own. */
const operatorShare = 7 / 8;
const tenantShare = 1 / 8;

/**
 * Creates a room for so many bytes. Mail to workspaces' own servers uses at most a part of it, so that servers that stall
 * delay no e-mail on the operator's, and no workspace fills it. On each side it is the turn of the workspace that uses
 * least, and others wait until it fits, or a large e-mail would wait for ever. An e-mail always fits if its side uses
 * nothing else: the capacity may then be exceeded by that one.
 */
export function createByteRoom(capacity: number): ByteRoom {
  const sideOf = (most: number, share: number): Side => ({
    taken: 0,
    most: most * capacity,
    share: share * capacity,
    users: new Map(),
  });
  const operator = sideOf(1, operatorShare);
  const tenants = sideOf(tenantsPart, tenantShare);
  let arrivals = 0;

  const isSmall = (bytes: number): boolean => bytes <= capacity / smallPart;
  const fits = (side: Side, bytes: number): boolean =>
    side.taken === 0 ||
    (side.taken + bytes <= side.most && operator.taken + tenants.taken + bytes <= capacity);

  function admit(side: Side): void {
    for (;;) {
      const user = nextUser(side);
      const [first] = user?.waiting ?? [];
      if (user === undefined || first === undefined || !fits(side, first.bytes)) return;
      user.waiting.shift();
      user.taken += first.bytes;
      side.taken += first.bytes;
      first.go();
    }
  }

  const sideFor = (route: string): Side => (tenantOfRoute(route) === undefined ? operator : tenants);

  return {
    enter(bytes, route) {
      if (isSmall(bytes)) return undefined;
      const side = sideFor(route);
      const owner = workspaceOfRoute(route);
      const user = side.users.get(owner) ?? { taken: 0, waiting: [] };
      side.users.set(owner, user);
      let isIn = false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const go = (): void => {
        isIn = true;
        resolve();
      };
      arrivals += 1;
      user.waiting.push({ bytes, arrival: arrivals, go });
      admit(side);
      return isIn ? undefined : promise;
    },
    leave(bytes, route) {
      if (isSmall(bytes)) return;
      const side = sideFor(route);
      const owner = workspaceOfRoute(route);
      const user = side.users.get(owner);
      if (user === undefined) return;
      user.taken -= bytes;
      side.taken -= bytes;
      if (user.taken === 0 && user.waiting.length === 0) side.users.delete(owner);
      admit(operator);
      admit(tenants);
    },
  };
}

/** Returns the user whose turn it is, without those that have used up their share. */
function nextUser({ users, share }: Side): User | undefined {
  let next: { user: User; arrival: number } | undefined;
  for (const user of users.values()) {
    const [first] = user.waiting;
    if (first === undefined || (user.taken > 0 && user.taken + first.bytes > share)) continue;
    const difference = next === undefined ? -1 : user.taken - next.user.taken;
    if (next === undefined || difference < 0 || (difference === 0 && first.arrival < next.arrival))
      next = { user, arrival: first.arrival };
  }
  return next?.user;
}
