import { ServiceError } from "../errors.ts";

/** Calls that others share, of one service. */
export interface SharedCalls {
  /**
   * Runs `work`, or waits for that of an equal call: one of `kind` with the same `key`. Nobody is answered by work that
   * began before they asked: who comes while it is under way waits for the next, which all who wait share.
   */
  run<T>(kind: object, key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` after that of an equal call has ended. Of those who wait, the first one's comes next: if it is refused,
   * so are the others, who asked before it began; otherwise each runs its own. So a change that only one of many equal
   * calls can make costs two transactions, however many there are.
   */
  inTurn<T>(kind: object, key: string, work: () => Promise<T>): Promise<T>;
}

/** Equal calls: the end of the one under way, and the one that comes after it. */
interface Line {
  underWay: Promise<unknown>;
  ended: Promise<void>;
  next: Promise<unknown> | undefined;
}

/** Creates what equal calls share. It holds one entry for each call under way, and nothing of those that are over. */
export function createSharedCalls(): SharedCalls {
  const kinds = new WeakMap<object, Map<string, Line>>();

  const linesOf = (kind: object): Map<string, Line> => {
    const lines = kinds.get(kind) ?? new Map<string, Line>();
    kinds.set(kind, lines);
    return lines;
  };

  function begin<T>(lines: Map<string, Line>, key: string, work: () => Promise<T>): Promise<T> {
    const underWay = work();
    const end = () => {
      if (line.next === undefined) lines.delete(key);
    };
    const line: Line = { underWay, ended: underWay.then(end, end), next: undefined };
    lines.set(key, line);
    return underWay;
  }

  return {
    run<T>(kind: object, key: string, work: () => Promise<T>): Promise<T> {
      const lines = linesOf(kind);
      const line = lines.get(key);
      if (line === undefined) return begin(lines, key, work);
      line.next ??= line.ended.then(() => begin(lines, key, work));
      return line.next as Promise<T>;
    },
    async inTurn<T>(kind: object, key: string, work: () => Promise<T>): Promise<T> {
      const lines = linesOf(kind);
      const line = lines.get(key);
      if (line === undefined) return begin(lines, key, work);
      if (line.next === undefined) {
        const fail = (error: unknown): void => {
          if (error instanceof ServiceError) return;
          // A storage that is away would only be waited for once more.
          lines.delete(key);
          throw error;
        };
        const next = line.underWay.then(() => {}, fail).then(() => begin(lines, key, work));
        line.next = next;
        return next;
      }
      await line.next;
      return work();
    },
  };
}
