import type { Line } from "./work.ts";

/** Creates a line in which items are served in the order of arrival. */
export function createFirstComeLine<T>(): Line<T> {
  let waiting: T[] = [];
  return {
    get size() {
      return waiting.length;
    },
    get ready() {
      return waiting.length;
    },
    isBlocked: () => false,
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
