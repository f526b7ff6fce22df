/**
 * Joins the lookups of one tick into one read. Nothing is cached: later lookups read again, so no answer outlives a
 * revocation. Missing values are `undefined`. `atEnd` schedules the read.
 */
export function createLoader<K, V>(
  loadMany: (keys: K[]) => Promise<V[]>,
  names: { ofKey: (key: K) => string | number; ofValue: (value: V) => string | number },
  atEnd: AtEndOfTurn = setImmediate,
): (key: K) => Promise<V | undefined> {
  interface Waiting {
    key: K;
    resolve: (value: V | undefined) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];

  async function load(): Promise<void> {
    const asked = waiting;
    waiting = [];
    const keys = new Map(asked.map(({ key }) => [names.ofKey(key), key]));
    try {
      const found = new Map(
        (await loadMany([...keys.values()])).map((value) => [names.ofValue(value), value]),
      );
      for (const { key, resolve } of asked) resolve(found.get(names.ofKey(key)));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) atEnd(load);
    });
}

/** Runs work at the end of the current turn of the event loop. */
export type AtEndOfTurn = (work: () => void) => void;

/** Creates a schedule shared by several loaders, whose reads at the end of a turn go to the storage together. */
export function createTurn(): AtEndOfTurn {
  let waiting: (() => void)[] = [];
  return (work) => {
    if (waiting.push(work) > 1) return;
    setImmediate(() => {
      const all = waiting;
      waiting = [];
      for (const each of all) each();
    });
  };
}
