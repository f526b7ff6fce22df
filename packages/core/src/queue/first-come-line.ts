import type { Line } from "./work.ts";

/** A line in which who came first is next. */
export function createFirstComeLine<T>(): Line<T> {
  let waiting: T[] = [];
  return {
    get size() {
      return waiting.length;
    },
    add: (items) => void waiting.push(...items),
    next: () => waiting.shift(),
    leave: () => {},
    all: () => [...waiting],
    clear() {
      const all = waiting;
      waiting = [];
      return all;
    },
  };
}
