import { onceATurn } from "./once-a-turn.ts";

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
  /** When the first request of this turn began. */
  let began: number | undefined;
  const schedule = onceATurn(beginTurn);

  function beginTurn(): void {
    began = undefined;
    if (waiting.size > 0 && isTime()) runNext();
  }

  /** Whether another request may begin in this turn. */
  function isTime(): boolean {
    schedule();
    began ??= performance.now();
    return performance.now() - began < turnMs;
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
    if (isTime()) runNext();
  };

  return (holder, run) => {
    const isInTime = isTime();
    if (waiting.size === 0 && isInTime) {
      run();
      return;
    }
    const line = waiting.get(holder);
    if (line === undefined) waiting.set(holder, [run]);
    else line.push(run);
  };
}
