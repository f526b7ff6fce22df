import type { PoolClock } from "../pool-clock.ts";

/** Messages that let others go first after a refusal: what becomes of those tells who is at fault. */
export interface Rest<T> {
  add(one: T): void;
  /** The turn of another message, which never rested, is over: takes out those that rested for long enough. */
  pass(): T[];
  /** Takes those out that are meant. */
  take(isMeant: (one: T) => boolean): T[];
  isEmpty(): boolean;
}

/** Turns of others that a message lets pass, and by how many that varies: every so many of them a server's limit is reached again. */
const othersFirst = 6;
const spread = 13;
/** Ms that it rests if there are no others. */
const longestAlone = 1000;

/** Creates an empty rest. `hasOthers`: whether messages wait; `wake`: called with one that rested alone. */
export function createRest<T>(options: {
  clock: PoolClock;
  hasOthers: () => boolean;
  wake: (one: T) => void;
}): Rest<T> {
  const { clock, hasOthers, wake } = options;
  let resting: { one: T; until: number; cancel: () => void }[] = [];
  let turns = 0;

  const take = (isOver: (one: T, until: number) => boolean): T[] => {
    const taken = resting.filter(({ one, until }) => isOver(one, until));
    if (taken.length > 0) resting = resting.filter((one) => !taken.includes(one));
    return taken.map(({ one, cancel }) => {
      cancel();
      return one;
    });
  };

  return {
    add(one) {
      const look = (): void => {
        if (hasOthers()) entry.cancel = clock.after(longestAlone, look);
        else take((other) => other === one).forEach(wake);
      };
      const entry = {
        one,
        until: turns + othersFirst + (turns % spread),
        cancel: clock.after(longestAlone, look),
      };
      resting.push(entry);
    },
    pass() {
      turns += 1;
      return resting.length === 0 ? [] : take((_, until) => until <= turns);
    },
    take: (isMeant) => take(isMeant),
    isEmpty: () => resting.length === 0,
  };
}
