import { afterPatience } from "./after-patience.ts";

/** Whom work is done for: a workspace's number, or another name. */
export type Holder = number | string;

export interface TurnLimits {
  /** Number of places. */
  all: number;
  /** Number of places that one holder may have at once. Default: all. */
  each?: number;
  /** When whoever still waits is refused, as `afterPatience` counts the ms, and by which error. Default: never. */
  patience?: { ms: number; error: () => Error };
  /** How many may wait, in all and of one holder, and by which error a further one is refused. Default: any number. */
  room?: { all: number; each: number; error: () => Error };
}

/** Places that holders have in turn. */
export interface Turns {
  /** Waits for a place; the returned function gives it back. Work without a holder counts as one holder's. */
  enter(holder?: Holder): Promise<() => void>;
  /** Refuses whoever waits, and whoever comes later. */
  close(error: Error): void;
}

/** One who waits for a place. */
interface Waiter {
  begin(): void;
  refuse(error: Error): void;
}

/** A holder's places, and those who wait for another one, the longest first. */
interface Line {
  held: number;
  waiting: Set<Waiter>;
}

/**
 * Creates places, limited in all and for each holder. Of those who wait, the holder whose last turn is longest ago comes
 * first: whatever one of them begins at once, others wait for no more than its places.
 */
export const createTurns = ({ all, each = all, patience, room }: TurnLimits): Turns => {
  let held = 0;
  let waiting = 0;
  let closed: Error | undefined;
  /** Of all who have or want a place. The one whose turn is next comes first. */
  const lines = new Map<Holder | undefined, Line>();

  const take = (line: Line): void => {
    held += 1;
    line.held += 1;
  };
  /** Puts a holder behind all others; forgets one that has and wants nothing. */
  const toTheEnd = (holder: Holder | undefined, line: Line): void => {
    lines.delete(holder);
    if (line.held > 0 || line.waiting.size > 0) lines.set(holder, line);
  };
  const fill = (): void => {
    for (const [holder, line] of lines) {
      // Thousands may wait.
      if (held >= all) return;
      const [next] = line.waiting;
      if (next === undefined || line.held >= each) continue;
      line.waiting.delete(next);
      take(line);
      // Where this loop comes to it again.
      toTheEnd(holder, line);
      next.begin();
    }
  };
  const wait = (holder: Holder | undefined, line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiter: Waiter = {
        begin() {
          callOff?.();
          waiting -= 1;
          resolve();
        },
        refuse(error) {
          callOff?.();
          waiting -= 1;
          line.waiting.delete(waiter);
          if (line.held === 0 && line.waiting.size === 0) lines.delete(holder);
          reject(error);
        },
      };
      const callOff = patience && afterPatience(patience.ms, () => waiter.refuse(patience.error()));
      line.waiting.add(waiter);
      waiting += 1;
    });

  return {
    async enter(holder) {
      if (closed !== undefined) throw closed;
      const line = lines.get(holder) ?? { held: 0, waiting: new Set() };
      const isFree = held < all && line.held < each;
      if (!isFree && room !== undefined && (waiting >= room.all || line.waiting.size >= room.each))
        throw room.error();
      lines.set(holder, line);
      if (isFree) take(line);
      else await wait(holder, line);
      return () => {
        held -= 1;
        line.held -= 1;
        toTheEnd(holder, line);
        fill();
      };
    },
    close(error) {
      closed = error;
      for (const { waiting } of [...lines.values()]) for (const waiter of [...waiting]) waiter.refuse(error);
    },
  };
};
