/** A pool's share of the connections that all pools together may have to one host. */
export interface HostPlace {
  /** Takes a place for one more connection. If there is none, the pool is called back once there is. */
  take(): boolean;
  /** Releases the place of a closed connection. */
  free(): void;
  /** Whether another pool waits for a place. */
  isWanted(): boolean;
}

/** A pool as other pools of the same host see it. */
export interface HostNeighbour {
  /** Checks whether a connection may be opened now. */
  look(): void;
  /** Closes an idle connection; returns whether there was one. */
  spare(): boolean;
}

/** Counts the connections to each host over all servers: a hundred workspaces may use one relay. */
export interface HostPlaces {
  join(host: string, neighbour: HostNeighbour): HostPlace;
  /** For a pool that keeps no idle connections any more. It may still take places for its last messages. */
  leave(host: string, neighbour: HostNeighbour): void;
}

interface Host {
  used: number;
  members: Set<HostNeighbour>;
  /** Pools that wait, first come, first served. */
  waiting: Set<HostNeighbour>;
}

/** Limits concurrent connections to each host to `most`. */
export function createHostPlaces(most: number): HostPlaces {
  const hosts = new Map<string, Host>();

  const hostOf = (name: string): Host => {
    const host = hosts.get(name) ?? { used: 0, members: new Set(), waiting: new Set() };
    hosts.set(name, host);
    return host;
  };
  /** Nobody waits while there is a free place. */
  const forgetUnused = (name: string, { used, members }: Host): void => {
    if (used === 0 && members.size === 0) hosts.delete(name);
  };

  return {
    join(name, neighbour) {
      hostOf(name).members.add(neighbour);
      return {
        take() {
          const host = hostOf(name);
          if (host.used < most) {
            host.used += 1;
            return true;
          }
          host.waiting.add(neighbour);
          for (const other of host.members) if (other !== neighbour && other.spare()) break;
          return false;
        },
        free() {
          const host = hostOf(name);
          host.used -= 1;
          // One whose messages went another way meanwhile takes no place.
          for (const next of host.waiting) {
            if (host.used >= most) break;
            host.waiting.delete(next);
            next.look();
          }
          forgetUnused(name, host);
        },
        isWanted() {
          const { waiting } = hostOf(name);
          return waiting.size > (waiting.has(neighbour) ? 1 : 0);
        },
      };
    },
    leave(name, neighbour) {
      const host = hostOf(name);
      host.members.delete(neighbour);
      forgetUnused(name, host);
    },
  };
}
