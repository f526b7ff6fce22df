/** Values of items that come and go all the time. */
export interface ItemMap<T, V> {
  has(item: T): boolean;
  get(item: T): V | undefined;
  set(item: T, value: V): void;
  delete(item: T): void;
}

/**
 * Creates a map for up to some hundred items. Not a Map: each table that V8 outgrows refers to its
 * successor. Once one is in the old generation, it keeps all later items from young collections.
 */
export function createItemMap<T, V>(): ItemMap<T, V> {
  const items: T[] = [];
  const values: V[] = [];
  return {
    has: (item) => items.includes(item),
    get: (item) => values[items.indexOf(item)],
    set(item, value) {
      const at = items.indexOf(item);
      if (at === -1) {
        items.push(item);
        values.push(value);
      } else values[at] = value;
    },
    delete(item) {
      const at = items.indexOf(item);
      if (at === -1) return;
      // The last one takes its place, so that the others need not move.
      const [last, value] = [items.pop() as T, values.pop() as V];
      if (at === items.length) return;
      items[at] = last;
      values[at] = value;
    },
  };
}
