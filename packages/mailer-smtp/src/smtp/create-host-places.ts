/** A pool's part in the connections that all pools together may have to one host. */
export interface HostPlace {
  /** Takes a place for one more connection; where there is none, the pool is told to look again once there is. */
  take(): boolean;
  /** A connection is gone. */
  free(): void;
  /** Whether another pool waits for a place. */
  isWanted(): boolean;
}

/** A pool as the others see it. */
export interface HostNeighbour {
  /** Looks whether a connection may be made now. */
  look(): void;
  /** Ends a connection that is without work; whether there was one. */
  spare(): boolean;
}

/** The connections to each host, whoever's servers they are: a hundred workspaces may use one relay. */
export interface HostPlaces {
  join(host: string, neighbour: HostNeighbour): HostPlace;
  leave(host: string, neighbour: HostNeighbour): void;
}

interface Host {
  used: number;
  members: Set<HostNeighbour>;
  /** First come, first served. */
  waiting: Set<HostNeighbour>;
}

/** Makes places for at most `most` connections to a host at once. */
export function createHostPlaces(most: number): HostPlaces {
  const hosts = new Map<string, Host>();

  const forget = (name: string, host: Host): void => {
    if (host.used === 0 && host.members.size === 0) hosts.delete(name);
  };

  return {
    join(name, neighbour) {
      const host = hosts.get(name) ?? { used: 0, members: new Set(), waiting: new Set() };
      hosts.set(name, host);
      host.members.add(neighbour);
      return {
        take() {
          if (host.used < most) {
            host.used += 1;
            host.waiting.delete(neighbour);
            return true;
          }
          host.waiting.add(neighbour);
          for (const other of host.members) if (other !== neighbour && other.spare()) break;
          return false;
        },
        free() {
          host.used -= 1;
          const [next] = host.waiting;
          if (next !== undefined) {
            host.waiting.delete(next);
            next.look();
          }
          forget(name, host);
        },
        isWanted: () => host.waiting.size > (host.waiting.has(neighbour) ? 1 : 0),
      };
    },
    leave(name, neighbour) {
      const host = hosts.get(name);
      if (host === undefined) return;
      host.members.delete(neighbour);
      host.waiting.delete(neighbour);
      forget(name, host);
    },
  };
}
