import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@posthorn/client";
import type { FollowedEvent, Following } from "./api.ts";

/** Ms before the server is asked again, doubling up to the maximum. */
const firstWaitMs = 500;
const longestWaitMs = 10_000;

/**
 * Yields a server's events across its restarts: reconnects after the last event seen, without gaps or repetitions. Ends
 * when the signal aborts; rejects for any refusal, such as an expired login.
 */
export async function* followServer(
  client: Pick<Client, "follow">,
  { after, waits, signal, tell, ...filter }: Following,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let last = after;
  let waitMs = firstWaitMs;
  let isAway = false;
  while (!signal.aborted) {
    try {
      const events = client.follow({ ...filter, last_event_id: last, wait: waits }, { signal });
      for await (const event of events) {
        if (isAway) tell(`The server is back. Continuing after event ${last}.`);
        [isAway, waitMs, last] = [false, firstWaitMs, event.id];
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (!isAway) tell(`${error.message} Waiting for the server; nothing is lost.`);
      isAway = true;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {});
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

/** Whether another request may succeed: the server can't be reached, is restarting or has no free place. */
const isPassing = (error: unknown): error is Error & { status: number } =>
  error instanceof Error &&
  error.name === "ApiError" &&
  "status" in error &&
  [0, 429, 502, 503, 504].includes(Number(error.status));
