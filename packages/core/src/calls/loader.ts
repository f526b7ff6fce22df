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
  interface Asked {
    key: K;
    answer: Promise<V | undefined>;
    resolve: (value: V | undefined) => void;
    reject: (error: unknown) => void;
  }
  type Question = [name: string | number, asked: Asked];
  /** Those who ask for the same have the same answer. */
  let waiting = new Map<string | number, Asked>();

  async function read(questions: readonly Question[]): Promise<void> {
    try {
      const found = new Map<string | number, V>();
      for (const value of await loadMany(questions.map(([, { key }]) => key)))
        found.set(names.ofValue(value), value);
      for (const [name, { resolve }] of questions) resolve(found.get(name));
    } catch (error) {
      for (const [, { reject }] of questions) reject(error);
    }
  }

  async function load(): Promise<void> {
    const questions = [...waiting];
    waiting = new Map();
    if (questions.length <= atMost) return read(questions);
    for (let at = 0; at < questions.length; at += atMost) await read(questions.slice(at, at + atMost));
  }

  return (key) => {
    const name = names.ofKey(key);
    let asked = waiting.get(name);
    if (asked === undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<V | undefined>();
      asked = { key, answer: promise, resolve, reject };
      if (waiting.size === 0) atEnd(load);
      waiting.set(name, asked);
    }
    return asked.answer;
  };
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
