import { setImmediate } from "node:timers";

/** Ms of a turn of the event loop after which requests wait for a later one. */
const turnMs = 5;

/** Runs a request's handler when its turn comes; `holder` is whose request it seems to be. */
export type TakeRequestTurn = (holder: string, run: () => void) => void;

/**
 * Makes turns for beginning requests, by holder. Node hands over all that arrived on 500 connections in one turn of its event loop.
 * Answers that wait for nothing, such as refusals, take 0.1 s of it together, and a send of somebody else has a dozen steps, each in
 * another turn.
 */
export function createRequestTurns(): TakeRequestTurn {
  /** By holder, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let began = 0;
  let isScheduled = false;

  function schedule(): void {
    began = performance.now();
    isScheduled = true;
    setImmediate(beginTurn);
  }

  function beginTurn(): void {
    isScheduled = false;
    if (waiting.size === 0) return;
    schedule();
    runNext();
  }

  function runNext(): void {
    for (const [holder, line] of waiting) {
      const run = line.shift();
      waiting.delete(holder);
      if (line.length > 0) waiting.set(holder, line);
      run?.();
      // Behind all that the request does without waiting for anything.
      queueMicrotask(() => process.nextTick(goOn));
      return;
    }
  }

  const goOn = (): void => {
    if (performance.now() - began < turnMs) runNext();
  };

  return (holder, run) => {
    if (!isScheduled) schedule();
    const line = waiting.get(holder);
    if (line !== undefined) line.push(run);
    else if (waiting.size > 0 || performance.now() - began >= turnMs) waiting.set(holder, [run]);
    else run();
  };
}
