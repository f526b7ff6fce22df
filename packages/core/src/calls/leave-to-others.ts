import { setImmediate } from "node:timers";

/** Steps of a send, each in another turn of the event loop: it would wait at each for long work. */
const stepsOfSend = 12;

/**
 * Leaves turns of the event loop to other work after work that took so many ms, one for each ms, at most as many as a send
 * needs; then calls back. They last no time if there is nothing else to do.
 */
export function leaveToOthers(ms: number, done: () => void): void {
  afterTurns(Math.min(Math.max(1, Math.round(ms)), stepsOfSend), done);
}

function afterTurns(count: number, done: () => void): void {
  setImmediate(() => (count > 1 ? afterTurns(count - 1, done) : done()));
}
