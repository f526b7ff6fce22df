import { setImmediate } from "node:timers";

/** Ms for which bodies are rendered in one turn of the event loop; further ones wait for the next turn. */
const msPerTurn = 5;

/** Turns of the event loop in which bodies are rendered. */
export interface RenderingTurns {
  /** Does the work now, or in a later turn if enough was done in this one. */
  run<T>(work: () => T): T | Promise<T>;
}

interface Means {
  now?: () => number;
  inNextTurn?: (next: () => void) => void;
}

/**
 * Creates the turns of one process. A body with many placeholders or tracked links takes many ms: by the hundred at once,
 * as they are claimed, they would hold up everybody's requests, and the renewal of leases, until the last is rendered.
 */
export function createRenderingTurns({
  now = () => performance.now(),
  inNextTurn = (next) => void setImmediate(next),
}: Means = {}): RenderingTurns {
  let spent = 0;
  let isTurnAsked = false;
  const waiting: (() => void)[] = [];
  const timed = <T>(work: () => T): T => {
    if (!isTurnAsked) inNextTurn(next);
    isTurnAsked = true;
    const start = now();
    try {
      return work();
    } finally {
      spent += now() - start;
    }
  };
  const next = (): void => {
    isTurnAsked = false;
    spent = 0;
    // Whatever is left waits for the turn that the first of these asked for.
    while (waiting.length > 0 && spent < msPerTurn) waiting.shift()?.();
  };
  return {
    run<T>(work: () => T): T | Promise<T> {
      if (waiting.length === 0 && spent < msPerTurn) return timed(work);
      return new Promise<T>((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(timed(work));
          } catch (error) {
            reject(error);
          }
        });
      });
    },
  };
}
