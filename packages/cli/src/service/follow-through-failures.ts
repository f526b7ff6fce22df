import { setTimeout as sleep } from "node:timers/promises";
import type { FollowOptions, LoggedEvent, Posthorn } from "@posthorn/core";
import { firstWaitMs, longestWaitMs, waitingFor } from "../program/connection/passing-failures.ts";

export interface FollowThrough extends FollowOptions {
  /** Id of the last event seen, or 0 for all events. */
  after: number;
  /** Called with a message when the storage fails, while it stays unavailable, and when it is back. */
  tell: (text: string) => void;
}

/**
 * Yields events like `followEvents`, also across restarts of the database: waits for it and resumes after the last
 * event seen, without gaps or repetitions. Ends when the signal aborts; rejects for any other failure.
 */
export async function* followThroughFailures(
  posthorn: Pick<Posthorn, "followEvents" | "ping">,
  { tell, after, ...options }: FollowThrough,
): AsyncGenerator<LoggedEvent> {
  const { signal } = options;
  let last = after;
  while (!signal.aborted) {
    try {
      for await (const event of posthorn.followEvents({ ...options, after: last })) {
        last = event.id;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      const waiting = waitingFor(error);
      if (waiting === undefined) throw error;
      tell(waiting);
      await waitForStorage(posthorn, signal);
      if (!signal.aborted) tell(`The database is back. Continuing after event ${last}.`);
    }
  }
}

async function waitForStorage({ ping }: Pick<Posthorn, "ping">, signal: AbortSignal): Promise<void> {
  for (let wait = firstWaitMs; !signal.aborted; wait = Math.min(wait * 2, longestWaitMs)) {
    await sleep(wait, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      return await ping();
    } catch (error) {
      if (waitingFor(error) === undefined) throw error;
    }
  }
}
