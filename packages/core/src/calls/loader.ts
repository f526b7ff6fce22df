import { setImmediate } from "node:timers";

/** How lookups are joined. */
interface Joining {
  /** Schedules the read. Default: the end of the turn. */
  atEnd?: AtEndOfTurn;
  /** Maximum keys of one read; of more, there are several, one after another. Default: no maximum. */
  atMost?: number;
}

/**
 * Joins the lookups of one tick into one read. Nothing is cached: later lookups read again, so no answer outlives a
 * revocation. Missing values are `undefined`.
 */
export function createLoader<K, V>(
  loadMany: (keys: K[]) => Promise<V[]>,
  names: { ofKey: (key: K) => string | number; ofValue: (value: V) => string | number },
  { atEnd = setImmediate, atMost = Number.POSITIVE_INFINITY }: Joining = {},
): (key: K) => Promise<V | undefined> {
  interface Waiting {
    key: K;
    name: string | number;
    resolve: (value: V | undefined) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];

  async function read(asked: readonly Waiting[]): Promise<void> {
    const keys = new Map<string | number, K>();
    for (const { key, name } of asked) keys.set(name, key);
    try {
      const found = new Map<string | number, V>();
      for (const value of await loadMany([...keys.values()])) found.set(names.ofValue(value), value);
      for (const { name, resolve } of asked) resolve(found.get(name));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  async function load(): Promise<void> {
    const asked = waiting;
    waiting = [];
    if (asked.length <= atMost) return read(asked);
    const byName = [...Map.groupBy(asked, ({ name }) => name).values()];
    for (let at = 0; at < byName.length; at += atMost) await read(byName.slice(at, at + atMost).flat());
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, name: names.ofKey(key), resolve, reject }) === 1) atEnd(load);
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
