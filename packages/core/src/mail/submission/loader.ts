/**
 * Joins the look-ups of one tick into one read. Nothing is kept: what is asked for later is read again, so no answer outlives a
 * revocation. Answers that are missing are `undefined`. `atEnd` is asked to run the read.
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

/** Runs work once the turn of the event loop is over. */
export type AtEndOfTurn = (work: () => void) => void;

/** For several loaders: what they read at the end of one turn goes to the storage in one go. */
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
