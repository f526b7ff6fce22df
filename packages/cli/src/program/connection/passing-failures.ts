import { setTimeout as sleep } from "node:timers/promises";

/** Ms before the next attempt, doubling up to the maximum. */
export const firstWaitMs = 500;
export const longestWaitMs = 10_000;

/** Says that events up to an id were removed before they could be read. */
export const gapWords = (upTo: number): string =>
  `Events are missing here: retention removed some, up to event ${upTo}.`;

/**
 * Says what is waited for after a failure that another attempt may not have: the server can't be reached, is restarting
 * or has no free place, or the database is unavailable. `undefined` for any other.
 */
export function waitingFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  if (name === "StorageUnavailable")
    return `The database is unavailable: ${message}. Waiting for it; nothing is lost.`;
  const isPassing =
    name === "ApiError" && "status" in error && [0, 429, 502, 503, 504].includes(Number(error.status));
  return isPassing ? `${message} Waiting for the server; nothing is lost.` : undefined;
}

/**
 * Asks until there is an answer, across restarts of the server or the database, and tells of the wait once. Rejects for
 * any other failure, and once the signal aborts.
 */
export async function askThroughFailures<T>(
  ask: () => Promise<T>,
  { signal, tell }: { signal: AbortSignal; tell: (text: string) => void },
): Promise<T> {
  for (let waitMs = firstWaitMs, isTold = false; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await ask();
    } catch (error) {
      const waiting = waitingFor(error);
      if (signal.aborted || waiting === undefined) throw error;
      if (!isTold) tell(waiting);
      isTold = true;
    }
    await sleep(waitMs, undefined, { signal });
  }
}
