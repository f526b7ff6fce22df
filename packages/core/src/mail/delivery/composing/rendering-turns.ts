import { setImmediate } from "node:timers";
import { leaveToOthers } from "../../../calls/leave-to-others.ts";

/** Ms for which bodies are rendered in one turn of the event loop; further ones wait for the next turn. */
const msPerTurn = 5;

/** Turns of the event loop in which bodies are rendered. */
export interface RenderingTurns {
  /**
   * Does the work now, or in a later turn if enough was done in this one. Of works that wait, those of each workspace are
   * done in turn; `undefined` are the service's own.
   */
  run<T>(workspaceId: number | undefined, work: () => T): T | Promise<T>;
}

interface Means {
  now?: () => number;
  inNextTurn?: (next: () => void) => void;
  leave?: (ms: number, next: () => void) => void;
}

/**
 * Creates the turns of one process. A body with many placeholders or tracked links takes many ms: by the hundred at once,
 * as they are claimed, they would hold up everybody's requests, and the renewal of leases, until the last is rendered.
 * One may take 100 ms, and a workspace has up to half of the slots: in one line for all, others' waited for seconds.
 */
export function createRenderingTurns({
  now = () => performance.now(),
  inNextTurn = (next) => void setImmediate(next),
  leave = leaveToOthers,
}: Means = {}): RenderingTurns {
  let spent = 0;
  let isTurnAsked = false;
  /** The workspace whose turn is next comes first. Not a Map: one that changes with each keeps later ones from young collections. */
  const waiting: { workspaceId: number | undefined; works: (() => void)[] }[] = [];
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
    const beyond = spent - msPerTurn;
    // A request has a dozen steps, each in another turn, and would wait at each for a costly body.
    if (beyond >= 1) leave(beyond, begin);
    else begin();
  };
  const begin = (): void => {
    isTurnAsked = false;
    spent = 0;
    // Whatever is left waits for the turn that the first of these asked for.
    while (spent < msPerTurn) {
      const line = waiting.shift();
      if (line === undefined) return;
      const work = line.works.shift();
      if (line.works.length > 0) waiting.push(line);
      work?.();
    }
  };
  const worksOf = (workspaceId: number | undefined): (() => void)[] => {
    const known = waiting.find((one) => one.workspaceId === workspaceId);
    if (known !== undefined) return known.works;
    const works: (() => void)[] = [];
    waiting.push({ workspaceId, works });
    return works;
  };
  return {
    run<T>(workspaceId: number | undefined, work: () => T): T | Promise<T> {
      if (waiting.length === 0 && spent < msPerTurn) return timed(work);
      return new Promise<T>((resolve, reject) => {
        worksOf(workspaceId).push(() => {
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
